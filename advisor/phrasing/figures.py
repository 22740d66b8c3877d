"""Figures as people read them; the only place of phrasing that prints a number."""

from __future__ import annotations

from decimal import Decimal

from advisor.phrasing.words import ARGUMENTS, METHODS, OBJECTIVES, VALUES, say
from tools.estimate import Estimate
from tools.results import Cost
from tools.units import Language, count_text, decimal_text, gib, gib_text, hours_text, money_text


def bytes_range(estimate: Estimate[int], language: Language) -> str:
    """`9.4 GiB (8.1–11.2)`; each end with its own unit where TiB come in."""
    if gib(estimate.high) >= 1024:
        return f"{gib_text(estimate.expected, language)} ({gib_text(estimate.low, language)}–{gib_text(estimate.high, language)})"
    return f"{gib_text(estimate.expected, language)} ({bare_gib(estimate.low, language)}–{bare_gib(estimate.high, language)})"


def bare_gib(size_bytes: float, language: Language) -> str:
    """GiB without the unit, for tables and ranges; small parts keep two decimals so that nothing real reads as zero."""
    value = gib(size_bytes)
    places = 0 if value >= 100 else 2 if 0 < value < 0.1 else 1
    return decimal_text(value, places, language, grouped=False)


def hours_short(hours: Estimate[float], language: Language) -> str:
    """`5.2 h`, without its range, where a table has no room."""
    return hours_text(hours.expected, language)


def hours_range(hours: Estimate[float], language: Language) -> str:
    """`5.2 h (3.9–7.0 h)`; each end in its own unit."""
    return f"{hours_text(hours.expected, language)} ({hours_text(hours.low, language)}–{hours_text(hours.high, language)})"


def money_range(total: Estimate[float], currency: str, language: Language) -> str:
    """`12.40 USD (9.80–16.10)`."""
    ends = [money_text(value, currency, language).removesuffix(f" {currency}") for value in (total.low, total.high)]
    return f"{money_text(total.expected, currency, language)} ({ends[0]}–{ends[1]})"


def money(cost: Cost, language: Language) -> str:
    """What a finished run costs, with its range."""
    return money_range(cost.total, cost.currency, language)


def price(amount: Decimal | float, currency: str, language: Language) -> str:
    """`0.69 USD/h`; three decimals below ten cents, where two would round the price away."""
    places = 3 if amount < Decimal("0.1") else 2
    return f"{decimal_text(amount, places, language, grouped=False)} {currency}/h"


def rate(tokens_per_second: Estimate[float], language: Language) -> str:
    """`2,340 tokens/s (1,700–3,100)`."""
    word = "Token/s" if language == "de" else "tokens/s"
    low, mid, high = (_rounded(value, language) for value in (tokens_per_second.low, tokens_per_second.expected, tokens_per_second.high))
    return f"{mid} {word} ({low}–{high})"


def _rounded(value: float, language: Language) -> str:
    return decimal_text(value, 0 if value >= 10 else 1, language)


def model_name(model_id: str) -> str:
    """The part of an id people say."""
    return model_id.rsplit("/", 1)[-1]


def method_name(method: object, language: Language) -> str:
    """A method as people say it; unknown PEFT types by their own name."""
    word = str(method or "")
    return say(METHODS[word], language) if word in METHODS else word.replace("_", " ")


def argument_text(name: str, value: object, language: Language) -> str:
    """A job argument with its value: `context 2,048`, `sharding FSDP`."""
    if name in ("sequence_length", "dataset_tokens", "tokens_per_example", "micro_batch_size", "gradient_accumulation_steps"):
        shown = count_text(float(value), language) if isinstance(value, (int, float)) else str(value)
    elif name == "epochs" and isinstance(value, (int, float)):
        shown = decimal_text(value, 0 if float(value).is_integer() else 1, language)
    elif name == "method":
        shown = method_name(value, language)
    elif name == "objective" and str(value) in OBJECTIVES:
        shown = say(OBJECTIVES[str(value)], language)
    elif name == "master_weights":
        shown = say(("fp32 master copies", "fp32-Masterkopien") if value else ("pure 16-bit weights", "reine 16-Bit-Gewichte"), language)
    elif isinstance(value, (bool, str)) and value in VALUES:
        shown = say(VALUES[value], language)
    elif isinstance(value, (list, tuple)):
        shown = "+".join(str(part) for part in value)
    else:
        shown = str(value)
    pair = ARGUMENTS.get(name)
    return say(pair, language, v=shown) if pair else f"{name.replace('_', ' ')} {shown}"


def size_text(billions: float, language: Language) -> str:
    """`7B`, `1.5B`, `3T`: sizes keep the letters of model names in both languages."""
    number, unit = (billions / 1000, "T") if billions >= 1000 else (billions, "B")
    text = f"{number:g}{unit}"
    return text.replace(".", ",") if language == "de" else text


def cards_text(accelerator: str, count: int) -> str:
    """`4× A100 80GB`, `RTX 4090` for one."""
    return accelerator if count == 1 else f"{count}× {accelerator}"
