"""A page read back, held to the tags and attributes that are ours."""

from html.parser import HTMLParser

# Every tag that a page may hold, with the attributes that it may have.
TAGS: dict[str, set[str]] = {
    "html": {"lang"}, "head": set(), "title": set(), "style": set(), "body": set(),
    "meta": {"charset", "http-equiv", "content", "name"}, "main": {"class"}, "section": set(),
    "div": {"class", "role", "aria-level", "aria-label", "style", "tabindex"}, "p": {"class"},
    "dl": {"class"}, "dt": set(), "dd": set(), "i": {"class", "style", "title"}, "b": set(),
    "ul": {"class"}, "li": set(), "small": set(), "pre": {"class"},
    "a": {"id", "class", "href", "title"}, "table": {"class"}, "thead": set(), "tbody": set(),
    "tr": {"id", "class"}, "th": {"scope", "class"}, "td": {"class", "data-of"},
    "details": set(), "summary": set(),
}  # fmt: skip
VOID = {"meta"}


class Read(HTMLParser):
    """A page read back; it fails on a tag or an attribute that is not ours.

    Attributes:
        text: What stands in the element of the model's text.
        said: All text.
        names: Every id, in order.
        targets: Every name that a link leads to, in order.
        widths: What each part of a bar takes, in order.
        unfold: How many elements unfold.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = self.all_text = ""
        self.names: list[str] = []
        self.targets: list[str] = []
        self.widths: list[int] = []
        self.unfold = 0
        self._open: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert len(given) == len(attrs)
        assert tag in TAGS, tag
        assert set(given) <= TAGS[tag], (tag, given)
        self.names += filter(None, [given.get("id")])
        if tag == "a":
            self.targets.append(str(given["href"]).removeprefix("#"))
        if tag == "i" and "style" in given:
            self.widths.append(int(str(given["style"]).removeprefix("flex:")))
        self.unfold += tag == "details"
        if tag not in VOID:
            self._open.append((tag, given.get("class")))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.all_text += data
        if ("pre", "text") in self._open:
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)
