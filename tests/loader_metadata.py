"""What the most used loaders and readers write into the metadata of one document.

Each row has the keys that the loader writes, with values of the same kinds, and the details that a
mapper reads of them without being told.
"""

from typing import Any, NamedTuple

from areev_context import Passage, PassageMapper

Metadata = dict[str, Any]


class Loaded(NamedTuple):
    """One loader, the metadata of a document that it made, and the details that are shown."""

    loader: str
    metadata: Metadata
    shown: Metadata
    excluded: tuple[str, ...] = ()

    @property
    def read(self) -> tuple[str, ...]:
        """The keys that are shown when they stand alone, and what says how a page is counted."""
        read = {k: v for k, v in self.metadata.items() if k not in self.excluded}
        return tuple(k for k, v in read.items() if k == "total_pages" or _shown({k: v}))


def _shown(metadata: Metadata) -> int:
    return len(PassageMapper().hits([Passage("", metadata)])[0].fields) - 1


_PATH = "/home/eva/private/lease.pdf"
_PDF = {
    "producer": "pdfTeX-1.40", "creator": "TeX", "creationdate": "2024-03-01T09:00:00+01:00",
    "moddate": "2024-03-01T09:00:00+01:00",
}  # fmt: skip
_STAT = {
    "file_type": "application/pdf", "file_size": 81_200, "creation_date": "2024-03-01",
    "last_modified_date": "2024-03-01",
}  # fmt: skip
_NOT_FOR_MODELS = ("file_name", "file_type", "file_size", "creation_date", "last_modified_date")
_WEB = "https://example.org/lease"

LANGCHAIN = [
    Loaded(
        "PyPDFLoader",
        {**_PDF, "source": _PATH, "total_pages": 9, "page": 3, "page_label": "iv"},
        {"source": "lease.pdf", "page": "iv"},
    ),
    Loaded(
        "PyMuPDFLoader",
        {
            **_PDF,
            "source": _PATH,
            "file_path": _PATH,
            "total_pages": 9,
            "format": "PDF 1.5",
            "title": "",
            "author": "Eva Berger",
            "subject": "",
            "keywords": "",
            "trapped": "",
            "page": 0,
        },
        {"source": "lease.pdf", "page": 1, "author": "Eva Berger"},
    ),
    Loaded(
        "PDFPlumberLoader",
        {
            **_PDF,
            "source": _PATH,
            "file_path": _PATH,
            "page": 8,
            "total_pages": 9,
            "Title": "Lease",
        },
        {"title": "Lease", "source": "lease.pdf", "page": 9},
    ),
    Loaded(
        "PyPDFium2Loader",
        {**_PDF, "source": _PATH, "total_pages": 9, "page": 2},
        {"source": "lease.pdf", "page": 3},
    ),
    Loaded("PDFMinerLoader", {**_PDF, "source": _PATH, "total_pages": 9}, {"source": "lease.pdf"}),
    Loaded(
        "UnstructuredLoader",
        {
            "source": _PATH,
            "file_directory": "/home/eva/private",
            "filename": "lease.pdf",
            "last_modified": "2024-03-01T09:00:00",
            "page_number": 4,
            "languages": ["eng"],
            "filetype": "application/pdf",
            "category": "NarrativeText",
            "element_id": "0a1b",
        },
        {"source": "lease.pdf", "page": 4},
    ),
    Loaded("TextLoader", {"source": "notes/lease.txt"}, {"source": "lease.txt"}),
    Loaded("DirectoryLoader", {"source": "C:\\Users\\eva\\lease.md"}, {"source": "lease.md"}),
    Loaded("CSVLoader", {"source": "./rents.csv", "row": 12}, {"source": "rents.csv"}),
    Loaded("JSONLoader", {"source": "/srv/rents.json", "seq_num": 3}, {"source": "rents.json"}),
    Loaded("Docx2txtLoader", {"source": "/srv/my leases/lease.docx"}, {"source": "lease.docx"}),
    Loaded(
        "BSHTMLLoader",
        {"source": "a/lease.html", "title": "Lease"},
        {"title": "Lease", "source": "lease.html"},
    ),
    Loaded(
        "WebBaseLoader",
        {"source": _WEB, "title": "Lease", "description": "How to end it.", "language": "en"},
        {"title": "Lease", "source": _WEB},
    ),
    Loaded(
        "SitemapLoader",
        {"source": _WEB, "loc": _WEB, "lastmod": "2024-03-01", "changefreq": "weekly"},
        {"source": _WEB},
    ),
    Loaded(
        "FireCrawlLoader",
        {"title": "Lease", "sourceURL": _WEB, "url": _WEB, "language": "en", "statusCode": 200},
        {"title": "Lease", "url": _WEB},
    ),
    Loaded(
        "GitLoader",
        {
            "source": "docs/lease.md",
            "file_path": "docs/lease.md",
            "file_name": "lease.md",
            "file_type": ".md",
        },
        {"source": "lease.md"},
    ),
    Loaded(
        "GitHubIssuesLoader",
        {
            "url": f"{_WEB}/issues/7",
            "title": "Rent is wrong",
            "creator": "eva",
            "comments": 2,
            "created_at": "2024-03-01T09:00:00Z",
            "state": "open",
            "labels": ["bug"],
            "number": 7,
        },
        {"title": "Rent is wrong", "url": f"{_WEB}/issues/7"},
    ),
    Loaded(
        "ConfluenceLoader",
        {
            "title": "Lease",
            "id": "65590",
            "source": f"{_WEB}/pages/65590",
            "when": "2024-03-01T09:00:00Z",
        },
        {"title": "Lease", "source": f"{_WEB}/pages/65590"},
    ),
    Loaded(
        "ArxivLoader",
        {
            "Published": "2024-03-01",
            "Title": "On leases",
            "Authors": "E. Berger, M. Frey",
            "Summary": "We …",
        },
        {"title": "On leases", "author": "E. Berger, M. Frey"},
    ),
    Loaded(
        "WikipediaLoader",
        {
            "title": "Lease",
            "summary": "A lease is …",
            "source": "https://en.wikipedia.org/wiki/Lease",
        },
        {"title": "Lease", "source": "https://en.wikipedia.org/wiki/Lease"},
    ),
    Loaded(
        "YoutubeLoader",
        {
            "source": "dQw4w9WgXcQ",
            "title": "Leases",
            "author": "Law for all",
            "length": 212,
            "view_count": 9,
        },
        {"title": "Leases", "source": "dQw4w9WgXcQ", "author": "Law for all"},
    ),
    Loaded("S3FileLoader", {"source": "s3://files/lease.pdf"}, {"source": "s3://files/lease.pdf"}),
    Loaded(
        "OutlookMessageLoader",
        {
            "source": "/mail/7.msg",
            "subject": "The lease",
            "sender": "eva@example.org",
            "date": "2024-03-01T09:00:00",
        },
        {"title": "The lease", "source": "7.msg", "author": "eva@example.org"},
    ),
    Loaded(
        "MarkdownHeaderTextSplitter",
        {"source": "lease.md", "Header 1": "Lease", "Header 2": "End", "Header 3": "Notice"},
        {"source": "lease.md", "section": "Lease > End > Notice"},
    ),
]

LLAMAINDEX = [
    Loaded(
        "SimpleDirectoryReader",
        {"file_path": _PATH, "file_name": "lease.pdf", **_STAT},
        {"source": "lease.pdf"},
        _NOT_FOR_MODELS,
    ),
    Loaded(
        "PDFReader",
        {"page_label": "4", "file_name": "lease.pdf"},
        {"source": "lease.pdf", "page": "4"},
    ),
    Loaded(
        "PyMuPDFReader",
        {"total_pages": 9, "file_path": _PATH, "source": "4"},
        {"source": "lease.pdf", "page": "4"},
    ),
    Loaded(
        "LlamaMarkdownReader",
        {"file_path": _PATH, "total_pages": 9, "page": 4},
        {"source": "lease.pdf", "page": 4},
    ),
    Loaded(
        "LlamaParse",
        {"file_path": "lease.pdf", "page_number": 4},
        {"source": "lease.pdf", "page": 4},
    ),
    Loaded("DocxReader", {"file_name": "lease.docx"}, {"source": "lease.docx"}),
    Loaded(
        "PptxReader",
        {"file_name": "lease.pptx", "slide_number": 2},
        {"source": "lease.pptx", "page": 2},
    ),
    Loaded("MarkdownReader", {"file_path": "docs/lease.md"}, {"source": "lease.md"}),
    Loaded(
        "MarkdownNodeParser",
        {"file_path": "docs/lease.md", "header_path": "/Lease/End/"},
        {"source": "lease.md", "section": "Lease > End"},
    ),
    Loaded(
        "HTMLTagReader",
        {"tag": "section", "tag_id": "end", "file_path": "/srv/lease.html"},
        {"source": "lease.html"},
    ),
    Loaded("FlatReader", {"filename": "lease.txt", "extension": ".txt"}, {"source": "lease.txt"}),
    Loaded(
        "UnstructuredReader",
        {"filename": "lease.pdf", "page_number": 4, "category": "Title"},
        {"source": "lease.pdf", "page": 4},
    ),
    Loaded("SimpleWebPageReader", {"url": _WEB}, {"url": _WEB}),
    Loaded("BeautifulSoupWebReader", {"URL": _WEB}, {"url": _WEB}),
    Loaded("AsyncWebPageReader", {"Source": _WEB}, {"source": _WEB}),
    Loaded(
        "RssReader",
        {"title": "Lease", "link": _WEB, "date": "Sat, 20 Jul 2024 23:30:00 GMT"},
        {"title": "Lease", "url": _WEB},
    ),
    Loaded(
        "GithubRepositoryReader",
        {
            "file_path": "docs/lease.md",
            "file_name": "lease.md",
            "url": f"{_WEB}/blob/main/docs/lease.md",
        },
        {"source": "lease.md", "url": f"{_WEB}/blob/main/docs/lease.md"},
    ),
    Loaded(
        "GoogleDriveReader",
        {
            "file id": "1x2y",
            "author": "Eva Berger",
            "file path": "Leases/lease.pdf",
            "file name": "lease.pdf",
            "mime type": "application/pdf",
            "created at": "2024-03-01T09:00:00Z",
            "modified at": "2024-03-01T09:00:00Z",
        },
        {"source": "lease.pdf", "author": "Eva Berger"},
    ),
    Loaded(
        "ConfluenceReader",
        {"title": "Lease", "page_id": "65590", "status": "current", "url": _WEB},
        {"title": "Lease", "url": _WEB},
    ),
    Loaded(
        "ArxivReader",
        {
            "Title of this paper": "On leases",
            "Authors": "E. Berger",
            "Date published": "03/01/2024",
            "URL": _WEB,
        },
        {"title": "On leases", "author": "E. Berger", "url": _WEB},
    ),
    Loaded("NotionPageReader", {"page_id": "7f3c"}, {}),
    Loaded(
        "PandasExcelReader",
        {"file_name": "rents.xlsx", "sheet_name": "2024"},
        {"source": "rents.xlsx", "section": "2024"},
    ),
]
