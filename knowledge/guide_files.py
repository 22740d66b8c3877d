"""Guide articles: Markdown with a TOML head, the same ids in every language, cut into chunks by heading."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.errors import BrokenData

GUIDE = Path(__file__).parent / "guide"
LANGUAGES = ("en", "de")
HEAD = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
HEADING = re.compile(r"^## (?P<title>.+?) \{#(?P<anchor>[a-z0-9-]+)\}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text that is found and cited as one."""

    id: str
    """`guide/<article>#<anchor>` or `<kind>/<record>`; the same in every language."""
    title: str
    text: str
    kind: str
    language: str
    source: str
    as_of: str
    topics: str = ""
    """Words that belong to the subject though the text does not use them."""

    @property
    def key(self) -> str:
        """Id with language: one row of an index."""
        return f"{self.language}:{self.id}"


@dataclass(frozen=True, slots=True)
class Article:
    """One article in one language."""

    id: str
    title: str
    language: str
    claims: tuple[str, ...]
    topics: str
    source: str
    as_of: str
    chunks: tuple[Chunk, ...]


def read_article(path: Path, language: str) -> Article:
    """One file. Raises BrokenData naming the file and what is wrong."""
    text = path.read_text(encoding="utf-8")
    head = HEAD.match(text)
    if head is None:
        raise BrokenData(str(path), "no TOML head between +++ lines")
    try:
        fields = tomllib.loads(head.group(1))
        title, sources = str(fields["title"]), fields["sources"]
        source = "; ".join(f"{entry['title']} ({entry['url']})" for entry in sources)
        as_of = max(str(entry["date"]) for entry in sources)
        claims, topics = tuple(fields["claims"]), " ".join(fields.get("topics", []))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise BrokenData(str(path), f"head: {error!r}") from error
    body = text[head.end() :]
    marks = list(HEADING.finditer(body))
    if not marks:
        raise BrokenData(str(path), "no heading of the form `## Title {#anchor}`")
    chunks = []
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        passage = body[mark.end() : following.start() if following else None].strip()
        chunks.append(
            Chunk(f"guide/{path.stem}#{mark['anchor']}", f"{title}: {mark['title']}", passage, "guide", language, source, as_of, topics)
        )
    return Article(path.stem, title, language, claims, topics, source, as_of, tuple(chunks))


def articles(folder: Path = GUIDE) -> Iterator[Article]:
    """All articles of all languages, in order of their names."""
    for language in LANGUAGES:
        for path in sorted((folder / language).glob("*.md")):
            yield read_article(path, language)
