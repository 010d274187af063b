"""Names and docstrings are standard words, and no name stands for two things."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = sorted(
    path for folder in ("areev_context", "integrations") for path in (ROOT / folder).rglob("*.py")
)
AROUND = sorted(
    path for folder in ("tests", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")
)

AVOIDED = {
    "apart": "separate, separately",
    "brief briefs briefed briefly briefing": "prompt, request",
    "fate fates": "reason, outcome",
    "hearing hearings heard unheard": "replies, asked",
    "held": "end of a guard, contained",
    "judge judges judged judging judgment judgments judgement judgements": "decider, decide, rate",
    "kept unkept": "left, retained, stored",
    "roster rosters": "line of entities",
    "said unsaid": "stated, text, shown",
    "seal seals sealed sealing unsealed": "guard",
    "settle settles settled settling settlement unsettled": "finish, plan, decide",
    "sheet sheets": "page",
    "shelf shelves shelved": "store",
    "sketch sketches sketched sketching": "view",
    "spoken unspoken": "written, text",
    "told untold": "reported, shown, distinguished",
    "verdict verdicts": "advice, decision",
    "voice voices voiced voicing": "speaker, writer",
}
"""Words that the package once used in a sense of its own, and what to write instead."""

INSTEAD = {word: other for words, other in AVOIDED.items() for word in words.split()}

PHRASES = re.compile(r"\b(?:of ours|those of them|who says)\b", re.I)
"""Phrases that leave open what they stand for."""

Found = tuple[int, str, str]
"""The line, the avoided word, and the name or the line of the docstring it stands in."""


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def words_of(text: str) -> Iterator[str]:
    """Yield the words of names and of prose: `_is_spokenText` has is, spoken and text."""
    for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text):
        yield word.lower()


def defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives to something."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.arg():
            yield node.arg
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.alias(asname=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names


def used(node: ast.AST) -> Iterator[str]:
    """Yield the names by which a node reaches into something else."""
    match node:
        case ast.Attribute(attr=name) | ast.alias(name=name) | ast.keyword(arg=str(name)):
            yield name


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each line of prose of the docstrings, those below constants too, with its number."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield from enumerate(text.splitlines(), statement.lineno)


def avoided(tree: ast.AST, *, product: bool) -> list[Found]:
    """Return the avoided words of a module; of what is no product only the names it defines."""
    names = [
        (getattr(node, "lineno", 0), name)
        for node in ast.walk(tree)
        for name in (*defined(node), *(used(node) if product else ()))
    ]
    prose = docstrings(tree) if product else ()
    found = {
        (line, word, text.strip())
        for line, text in (*names, *prose)
        for word in words_of(text)
        if word in INSTEAD
    }
    return sorted(found)


def report_of(path: Path, found: list[Found]) -> str:
    return "\n".join(
        f"{relative(path)}:{line}: {word!r} in {text!r}; instead: {INSTEAD[word]}"
        for line, word, text in found
    )


@pytest.mark.parametrize("path", PRODUCT, ids=relative)
def test_names_and_docstrings_of_the_package_are_standard_words(path: Path) -> None:
    found = avoided(ast.parse(path.read_text(encoding="utf-8")), product=True)
    assert found == [], report_of(path, found)


@pytest.mark.parametrize("path", AROUND, ids=relative)
def test_names_defined_in_tests_benchmarks_and_examples_are_standard_words(path: Path) -> None:
    found = avoided(ast.parse(path.read_text(encoding="utf-8")), product=False)
    assert found == [], report_of(path, found)


@pytest.mark.parametrize("path", PRODUCT, ids=relative)
def test_docstrings_name_what_they_speak_of(path: Path) -> None:
    prose = docstrings(ast.parse(path.read_text(encoding="utf-8")))
    assert [(line, text) for line, text in prose if PHRASES.search(text)] == []


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    every = ast.walk(function.args)
    return {node.arg for node in every if isinstance(node, ast.arg)}


def members(class_: ast.ClassDef) -> set[str]:
    """Return the names that a class defines, and those its methods set on `self`."""
    stored = {
        node.attr
        for node in ast.walk(class_)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    return stored.union(*(defined(node) for line in class_.body for node in (line, *targets(line))))


def targets(line: ast.stmt) -> list[ast.expr]:
    match line:
        case ast.AnnAssign(target=target):
            return [target]
        case ast.Assign(targets=found):
            return found
    return []


def listed(doc: str, head: str) -> set[str]:
    """Return the names that a section of a docstring lists."""
    section = re.search(rf"^{head}:\n((?: .*\n|\n)+)", f"{doc}\n", re.M)
    return set(re.findall(r"^    (\w+):", section[1], re.M)) if section else set()


def stale(tree: ast.AST) -> set[tuple[str, str]]:
    """Return the names that docstrings list and that are no argument and no attribute."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            made = [line for line in node.body if getattr(line, "name", "") == "__init__"]
            known = set().union(*map(parameters, made)) if made else members(node)
            doc = ast.get_docstring(node) or ""
            unknown = listed(doc, "Attributes") - members(node) | listed(doc, "Args") - known
            found |= {(node.name, name) for name in unknown}
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            unknown = listed(ast.get_docstring(node) or "", "Args") - parameters(node)
            found |= {(node.name, name) for name in unknown}
    return found


@pytest.mark.parametrize("path", PRODUCT, ids=relative)
def test_docstrings_list_arguments_and_attributes_that_there_are(path: Path) -> None:
    assert stale(ast.parse(path.read_text(encoding="utf-8"))) == set()


def test_a_name_that_is_no_more_is_seen() -> None:
    source = '''
class A:
    """A.

    Attributes:
        here: It is.
        gone: It is not.
    """

    here: int

    def method(self, here: int) -> None:
        """Do it.

        Args:
            here: It is.
            gone: It is not.
        """
'''
    assert stale(ast.parse(source)) == {("A", "gone"), ("method", "gone")}


def test_files_are_named_with_standard_words() -> None:
    parts = {part for path in (*PRODUCT, *AROUND) for part in path.relative_to(ROOT).parts}
    assert [part for part in sorted(parts) if not INSTEAD.keys().isdisjoint(words_of(part))] == []


EVERY_KIND = '''
"""What a module told."""
import sealed
from areev import x as verdict
_KEPT = 1
"""Kept for later."""
class Judge:
    """Judges."""
    said: int
def f(apart, *sheets, brief_=0, **voices):
    """Say it.

    Args:
        apart: Not spoken.
    """
    global fates
    self.heard = [roster for roster in ()]
    with x() as held: pass
    try: pass
    except X as sketch: pass
    match x:
        case [settled, *shelf]: pass
        case {**hearing}: pass
    g(settling=x.unsaid)
async def unsettled(): pass
'''


def test_every_kind_of_name_is_seen() -> None:
    found = {word for _, word, _ in avoided(ast.parse(EVERY_KIND), product=True)}
    assert found == {
        *("told", "sealed", "verdict", "kept", "judge", "judges", "said", "apart", "sheets"),
        *("brief", "voices", "spoken", "fates", "heard", "roster", "held", "sketch", "settled"),
        *("shelf", "hearing", "settling", "unsaid", "unsettled"),
    }
    defined_here = {word for _, word, _ in avoided(ast.parse(EVERY_KIND), product=False)}
    assert found - defined_here == {"told", "sealed", "judges", "spoken", "settling", "unsaid"}


def test_what_only_looks_like_an_avoided_word_is_none() -> None:
    assert avoided(ast.parse("def department(worksheet, briefcase): 'said'; 'x'.join(a)"),
                   product=False) == []  # fmt: skip


def public_classes(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_two_public_classes_have_one_name() -> None:
    """Not even in two rooms: who reads `Draft` in an error or an editor must know which."""
    count = Counter(name for path in PRODUCT for name in public_classes(path))
    assert {name for name, times in count.items() if times > 1} == set()


def test_no_two_modules_have_one_name() -> None:
    """A file is found by its name alone; a package's `__init__` has the name of its folder."""
    count = Counter(path.stem for path in PRODUCT if not path.stem.startswith("__"))
    assert {name for name, times in count.items() if times > 1} == set()
