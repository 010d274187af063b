"""The metadata of loaders and readers: what is shown of them, and what a source names."""

from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SearchHit
from areev_context.hits.loaders import arranged, last_part
from loader_metadata import LANGCHAIN, LLAMAINDEX, Loaded

PATH = "/home/eva/private/lease.pdf"


def hit(metadata: dict[str, Any], excluded: Any = (), **options: Any) -> SearchHit:
    passage = Passage("The notice period is three months.", metadata, excluded=excluded)
    return PassageMapper(**options).hits([passage])[0]


def details(metadata: dict[str, Any], excluded: Any = (), **options: Any) -> dict[str, Any]:
    fields = dict(hit(metadata, excluded, **options).fields)
    del fields["content"]
    return fields


@pytest.mark.parametrize("loaded", LANGCHAIN + LLAMAINDEX, ids=lambda each: each.loader)
def test_what_a_loader_writes_is_read(loaded: Loaded) -> None:
    found = details(loaded.metadata, loaded.excluded)
    assert found == loaded.shown
    assert list(found) == list(loaded.shown)


@pytest.mark.parametrize("loaded", LANGCHAIN + LLAMAINDEX, ids=lambda each: each.loader)
def test_no_text_shows_where_a_file_lies(loaded: Loaded) -> None:
    text = ContextAssembler().format([hit(loaded.metadata)], FormatPolicy.gpt4()).text
    assert not any(folder in text for folder in ("/home", "private", "Users", "/srv", "(docs"))


def test_each_framework_has_twenty() -> None:
    assert len({each.loader for each in LANGCHAIN}) >= 20
    assert len({each.loader for each in LLAMAINDEX}) >= 20


@pytest.mark.parametrize(
    ("metadata", "page"),
    [
        ({"source": PATH, "page": 0, "page_label": "1", "total_pages": 9}, "1"),
        ({"source": PATH, "page": 0, "page_label": "", "total_pages": 9}, 1),
        ({"source": PATH, "page": 0, "total_pages": 9}, 1),
        ({"page": 0, "total_pages": 9}, 1),
        ({"source": PATH, "page": 3}, 3),  # nothing says that it counts from 0
        ({"source": PATH, "page": "3", "total_pages": 9}, "3"),
        ({"source": PATH, "page": True, "total_pages": 9}, True),
        ({"source": PATH, "page": 2.0, "total_pages": 9}, 2.0),
        ({"source": PATH, "page": 10**700, "total_pages": 9}, "<int>"),
        ({"file_path": PATH, "page": 4, "total_pages": 9}, 4),
        ({"page_number": 5, "page": 0}, 5),
    ],
)
@pytest.mark.parametrize("options", [{}, {"shown": ("page",)}], ids=["default", "named"])
def test_the_page_is_the_printed_one(
    metadata: dict[str, Any], page: Any, options: dict[str, Any]
) -> None:
    assert details(metadata, **options)["page"] == page


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (PATH, "lease.pdf"),
        ("/srv/leases/", "leases"),
        ("~/lease.pdf", "lease.pdf"),
        ("C:\\Users\\eva\\my lease.pdf", "my lease.pdf"),
        ("\\\\server\\share\\lease.pdf", "lease.pdf"),
        ("../lease.pdf", "lease.pdf"),
        (".\\lease.pdf", "lease.pdf"),
        ("docs/house rules/lease.pdf", "lease.pdf"),
        ("file:///home/eva/lease.pdf", "lease.pdf"),
        ("lease.pdf", "lease.pdf"),
        ("/", "/"),
        ("https://example.org/a/lease.pdf", "https://example.org/a/lease.pdf"),
        ("s3://files/lease.pdf", "s3://files/lease.pdf"),
        ("law/leases", "law/leases"),
        ("Lease / annex no. 2", "Lease / annex no. 2"),
        ("and/or", "and/or"),
    ],
)
def test_a_path_is_shown_as_its_last_part(path: str, part: str) -> None:
    assert last_part(path) == part
    assert details({"source": path}) == {"source": part}
    assert details({"source": path}, full_paths=True) == {"source": path}


def test_the_first_name_with_a_value_counts() -> None:
    both = {"file_name": "b.md", "source": "a.md", "Title": "late", "title": "first"}
    assert details(both) == {"title": "first", "source": "a.md", "file_name": "b.md"}
    assert details({"title": None, "Title": "late"}) == {"title": "late"}
    assert details({"url": "u", "link": "v"}) == {"url": "u"}


@pytest.mark.parametrize("form", ["Header {}", "header_{}", "Heading {}", "h{}", "H{}"])
def test_headings_are_one_path_from_the_outermost(form: str) -> None:
    headings = {form.format(level): f"part {level}" for level in (3, 1, 2)}
    assert details(headings) == {"section": "part 1 > part 2 > part 3"}
    assert details({**headings, "section": "own"}) == {"section": "own"}


def test_a_reader_may_exclude_what_the_mapper_does_not_name() -> None:
    metadata = {"file_name": "lease.pdf", "page_label": "4", "page": 3}
    assert details(metadata, ["file_name"]) == {"page": "4"}
    assert details(metadata, ["page_label"]) == {"source": "lease.pdf", "page": 3}
    named = details(metadata, ["file_name", "page_label"], shown=("file_name", "page_label"))
    assert named == {"file_name": "lease.pdf", "page_label": "4"}


@pytest.mark.parametrize("excluded", [["source"], {"source"}, ("source",)])
def test_what_is_not_shown_is_still_the_source(excluded: Any) -> None:
    found = hit({"source": PATH, "title": "Lease", "url": "u"}, excluded)
    assert found.fields == {"content": found.fields["content"], "title": "Lease", "url": "u"}
    assert found.origin == {"source": PATH}
    context = ContextAssembler().format([found])
    assert PATH not in context.text
    assert [source.source for source in context.sources] == [PATH]


def test_nothing_is_named_twice() -> None:
    assert hit({"title": "Lease", "source": "lease.pdf", "page": 300}).origin is None
    assert arranged({"source": "u", "url": "u", "file_name": "u"}) == {"source": "u"}
    assert arranged({"source": "u", "url": "v", "file_name": "w"}) == {
        "source": "u", "file_name": "w", "url": "v",
    }  # fmt: skip


def test_what_is_no_text_is_read_too() -> None:
    assert details({"Authors": ["E. Berger", "M. Frey"], "h1": 7, "h2": None}) == {
        "section": "7",
        "author": ["E. Berger", "M. Frey"],
    }
