"""Names inside a text: models, accelerators, machine types, providers; longest match first, typing errors forgiven."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from advisor.understanding.word_lists import COMMON, FAMILIES_WRITTEN
from knowledge.names import normal, stem
from tools.context import Context
from tools.errors import AdvisorError

TOKEN = re.compile(r"[A-Za-z0-9äöüßÄÖÜ]+(?:[./][A-Za-z0-9äöüß]+)*")
WINDOW = 8
"""Longest name in tokens."""
CARD_LIKE = re.compile(r"(?i)(?:nvidia |geforce |tesla |quadro )?(?:rtx|gtx|[avhlbtp]|mi|gh|gb|rx) ?\d{2,4}[a-z]{0,5}(?: \w+)?")
"""Spellings of cards, which the catalog may know as ambiguous."""
BARE_CARD = re.compile(r"(?:geforce)?(?:rtx|gtx)-?(\d{3}[1-9]0?(?:ti|d|s|super|tisuper)?|\d{2}[1-9]0(?:ti|d|s|super|tisuper)?)")
"""Desktop cards go by their number alone; numbers of workstation cards (4000, 6000) are too round to."""
FAMILY_FLOOR = 3
TYPO_FLOOR = 90.0
SIBLING_TOLERANCE = 0.12
"""Share by which a size in a name may differ from the parameters counted: names round."""
UNKNOWN_PROVIDER = re.compile(
    r"\b(?:bei|auf|at|on|from|von)\s+([A-Z][a-z]+[A-Z]\w+|[A-Z]\w+\.(?:ai|io|cloud|com))"
    r"|\b(?:does|do)\s+([A-Z]\w{3,})\s+(?:charge|bill|sell|rent|offer)"
    r"|\b(?:verlangt|berechnet|nimmt|vermietet)\s+([A-Z][a-z]+[A-Z]\w+)"
)
"""What stands where the name of a provider stands and is written like one."""
QUANTISED_ENDINGS = re.compile(r"(?i)[-_ ](bnb-4bit|gptq|awq|int4|4bit)\b")


@dataclass(frozen=True, slots=True)
class Found:
    """A name and where it stands."""

    kind: str
    """model, accelerator, instance, provider, family or unknown."""
    value: str
    """Canonical id, or the user's words where the name is ambiguous or unknown."""
    start: int
    end: int
    count: int | None = None
    """Cards of a machine type."""
    suggestions: tuple[str, ...] = ()
    quantised: bool = False


class Names:
    """The gazetteer, built once."""

    def __init__(self, tables: Mapping[str, Mapping[str, tuple[str, ...]]], families: frozenset[str], ctx: Context) -> None:
        self._tables = tables
        self._families = families
        self._ctx = ctx
        self._fuzzy = {kind: [key for key in table if len(key) >= 6 and not key.isdigit()] for kind, table in tables.items()}

    @classmethod
    def of(cls, ctx: Context) -> Names:
        """Index every alias of the context."""
        models: dict[str, tuple[str, ...]] = {}
        families: set[str] = set()
        for model in ctx.models.models():
            for alias in (model.id, *model.aliases):
                for key in {normal(alias.rpartition("/")[2]), stem(alias)}:
                    if usable(key):
                        models[key] = (*models.get(key, ()), *((model.id,) if model.id not in models.get(key, ()) else ()))
            word = re.match(r"[A-Za-z]+", model.id.rpartition("/")[2])
            if word and len(word.group()) >= FAMILY_FLOOR:
                families.add(word.group().lower())
        cards: dict[str, tuple[str, ...]] = {}
        for card in ctx.catalog.accelerators():
            for alias in (card.id, *card.aliases):
                key = normal(alias)
                bare = BARE_CARD.fullmatch(key)
                for written in (key, *((bare.group(1),) if bare else ())):
                    if not usable(written):
                        continue
                    cards[written] = (*cards.get(written, ()), *((card.id,) if card.id not in cards.get(written, ()) else ()))
        providers: dict[str, tuple[str, ...]] = {}
        for provider in ctx.catalog.providers():
            for alias in (provider.id, provider.display_name, *provider.aliases):
                key = normal(re.sub(r"\(.*", "", alias))
                if len(key) >= 3 and key not in COMMON:
                    providers[key] = (provider.id,)
        return cls({"accelerator": cards, "model": models, "provider": providers}, frozenset(families & FAMILIES_WRITTEN), ctx)

    def find(self, text: str) -> list[Found]:
        """Every name of a text, left to right, none overlapping."""
        tokens = [(match.group(), match.start(), match.end()) for match in TOKEN.finditer(text[:20_000])]
        found: list[Found] = []
        index = 0
        while index < len(tokens):
            hit, used = self._at(text, tokens, index)
            if hit is not None:
                found.append(hit)
            index += used
        return found

    def _at(self, text: str, tokens: list[tuple[str, int, int]], index: int) -> tuple[Found | None, int]:
        for length in range(min(WINDOW, len(tokens) - index), 0, -1):
            start, end = tokens[index][1], tokens[index + length - 1][2]
            words = text[start:end]
            if len(words) > 80 or "\n" in words or (length > 1 and re.search(r"[,;:?!()=|]|[.] ", words)):
                continue
            hit = self._exact(words, start, end, length)
            if hit is not None:
                return hit, length
        return self._family(text, tokens, index)

    def _exact(self, words: str, start: int, end: int, length: int) -> Found | None:
        key = normal(words.rpartition("/")[2] if re.search(r"[A-Za-z]/[A-Za-z]", words) else words)
        if not key:
            return None
        if length == 1 and "." in words and (machine := self._machine(words)):
            return Found("instance", machine[0], start, end, machine[1])
        for kind in ("accelerator", "model", "provider"):
            ids = self._tables[kind].get(key)
            if ids is None and kind == "model":
                ids = self._tables[kind].get(stem(words))
            if ids and self._worth(kind, key, words):
                return Found(kind, self._value(kind, ids, words), start, end, quantised=bool(QUANTISED_ENDINGS.search(words)))
        if length <= 3 and CARD_LIKE.fullmatch(words):
            try:
                self._ctx.catalog.accelerator_candidates(words)
            except AdvisorError:
                return self._mistyped(words, key, start, end, length)
            return Found("accelerator", self._value("accelerator", (), words), start, end)
        return self._mistyped(words, key, start, end, length)

    def _worth(self, kind: str, key: str, words: str) -> bool:
        """Whether a spelling means the name: words that are common otherwise must be written as names."""
        if key in COMMON:
            return False
        if kind == "model" and len(key) <= 3 and not re.search(r"\d", key):
            return words[0].isupper()
        return not (kind == "model" and re.fullmatch(r"[a-z]{1,2}\d?", key))

    def _value(self, kind: str, ids: tuple[str, ...], words: str) -> str:
        if kind != "accelerator":
            return ids[0]
        try:
            forms = self._ctx.catalog.accelerator_candidates(words)
        except AdvisorError:
            forms = [self._ctx.catalog.accelerator(ids[0])] if len(ids) == 1 else []
        if len(forms) == 1:
            return forms[0].id
        open_form = [form for form in forms if not form.form_stated]
        sizes = {round(form.memory_label_gb) for form in forms}
        return open_form[0].id if len(open_form) == 1 and len(sizes) == 1 else words

    def _machine(self, words: str) -> tuple[str, int] | None:
        found = self._ctx.catalog.instance_accelerator(words.lower())
        return (found[0], max(1, round(found[1]))) if found else None

    def _mistyped(self, words: str, key: str, start: int, end: int, length: int) -> Found | None:
        """A long name with a slip of the pen; its digits must be right."""
        if length > 4 or len(key) < 7 or not re.search(r"\d", key) or not re.search(r"[a-z]{4}", key):
            return None
        from rapidfuzz import fuzz, process

        for kind in ("model", "accelerator"):
            best = process.extractOne(key, self._fuzzy[kind], scorer=fuzz.ratio, score_cutoff=TYPO_FLOOR)
            if best and re.findall(r"\d+", best[0]) == re.findall(r"\d+", key) and best[0][0] == key[0]:
                return Found(kind, self._value(kind, self._tables[kind][best[0]], best[0]), start, end)
        return None

    def _family(self, text: str, tokens: list[tuple[str, int, int]], index: int) -> tuple[Found | None, int]:
        """A family without a known member: its name, and what follows it up to a size."""
        word, start, end = tokens[index]
        match = re.match(r"[a-z]+", word.lower())
        if not match or match.group() not in self._families:
            return None, 1
        used = 1
        while index + used < len(tokens) and used < 4:
            following, begin, finish = tokens[index + used]
            if re.search(r"[^\w .-]", text[end:begin]) or re.fullmatch(r"\d+(?:[.,]\d+)?[bBtTmM]", following):
                break
            if not (
                re.fullmatch(r"\d+(?:\.\d+)?", following) or (following[0].isupper() and following.lower() not in ("lora", "qlora", "full"))
            ):
                break
            end, used = finish, used + 1
        words = text[start:end]
        return Found("family" if used == 1 and words.isalpha() else "unknown", words, start, end, suggestions=self.near(words)), used

    def near(self, words: str) -> tuple[str, ...]:
        """Nearest known models."""
        from rapidfuzz import fuzz, process

        best = process.extract(normal(words), self._fuzzy["model"], scorer=fuzz.WRatio, limit=6, score_cutoff=70)
        return tuple(dict.fromkeys(self._tables["model"][key][0] for key, *_ in best))[:3]

    def labels(self, cards: list[str]) -> list[float]:
        """Memory labels in GB of every form the named cards come in."""
        sizes: list[float] = []
        for card in cards:
            try:
                sizes += [form.memory_label_gb for form in self._ctx.catalog.accelerator_candidates(card)]
            except AdvisorError:
                continue  # the user's own words for a card nobody knows; said elsewhere
        return sizes

    def sibling(self, model: str, billions: float) -> str | None:
        """The member of a model's family with another size, the most alike by name; None where there is none."""
        from rapidfuzz import fuzz

        family = re.match(r"[A-Za-z]+", model.rpartition("/")[2])
        if family is None or billions <= 0:
            return None
        word = family.group().lower().removeprefix("meta")
        near = [
            other.id
            for other in self._ctx.models.models()
            if word in other.id.lower() and abs((other.published_parameters or 0) / 1e9 / billions - 1) <= SIBLING_TOLERANCE
        ]
        return max(near, key=lambda other: (fuzz.ratio(other.lower(), model.lower()), other), default=None)

    def provider_like(self, text: str) -> Iterator[Found]:
        """Words that stand where a provider's name stands, and are written like one, but are nobody's."""
        for match in UNKNOWN_PROVIDER.finditer(text):
            name = next(group for group in match.groups() if group)
            if not any(normal(name) in table for table in self._tables.values()):
                yield Found("provider", name, match.start(match.lastindex or 0), match.end(match.lastindex or 0), suggestions=("?",))


def usable(key: str) -> bool:
    """Whether an alias may stand for a name in running text: not a bare number below a thousand, not a common word."""
    return len(key) >= 2 and not re.fullmatch(r"\d{1,3}(?:\.\d+)?[bmgk]?", key) and key not in COMMON
