"""Pictures of an answer: memory against the card, memory over context, cost against time.

Values, shapes and dashes say what colour says, so that a picture can be read without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tools.context import Context
from tools.errors import AdvisorError
from tools.results import FitVerdict, MemoryEstimate, Plan
from tools.toolbox import tool
from tools.units import GIB, decimal_text
from ui.chat_words import Language, Pair

WORDS: dict[str, Pair] = {
    "memory": ("Memory per card at the peak, GiB", "Speicher je Karte an der Spitze, GiB"),
    "peak": ("peak, with range", "Spitze, mit Spanne"),
    "usable": ("usable on {card}: {size}", "nutzbar auf {card}: {size}"),
    "context": ("context length, tokens", "Kontextlänge, Token"),
    "per_card": ("GiB per card", "GiB je Karte"),
    "over_context": ("Memory over context length", "Speicher über der Kontextlänge"),
    "time": ("hours", "Stunden"),
    "cost": ("cost of the finished run, {currency}", "Kosten des fertigen Laufs, {currency}"),
    "plans": ("Cost against time", "Kosten gegen Dauer"),
    "front": ("best trade-offs", "beste Kompromisse"),
    "other": ("beaten on both", "in beidem unterlegen"),
    "kind": ("plans", "Pläne"),
}
CONTEXTS = (512, 1024, 2048, 4096, 8192, 16384, 32768)
"""Lengths of the picture over context: those people train with."""
COMPARED_METHODS = ("full", "lora", "qlora")

WIDTH = 470
"""Pixels, labels included; the page shrinks a picture that is wider than its column."""


def _data(values: list[dict[str, Any]]) -> Any:
    """Rows inside the picture, so that nothing is fetched."""
    return alt.Data(values=values)  # type: ignore[no-untyped-call]  # altair's generated classes have no types


def _say(key: str, language: Language, **values: object) -> str:
    return WORDS[key][language == "de"].format(**values)


def memory_chart(memory: MemoryEstimate, verdict: FitVerdict | None, language: Language) -> Any:
    """One bar per component, the peak with its range, a line where the card ends."""
    rows = [
        {"part": name.replace("_", " "), "gib": size / GIB, "text": decimal_text(size / GIB, 1, language)}
        for name, size in sorted(memory.breakdown.items(), key=lambda item: -item[1])
        if size / GIB >= 0.05
    ]
    peak = memory.peak_device_bytes
    label = _say("peak", language)
    total = [{"part": label, "gib": peak.expected / GIB, "low": peak.low / GIB, "high": peak.high / GIB}]
    order = [str(row["part"]) for row in rows] + [label]
    y = alt.Y("part:N", sort=order, title=None)
    x = alt.X("gib:Q", title=_say("memory", language))
    layers: list[Any] = [
        alt.Chart(_data(rows)).mark_bar(color="#4c78a8").encode(x=x, y=y),
        alt.Chart(_data(rows)).mark_text(align="left", dx=4).encode(x="gib:Q", y=y, text="text:N"),
        alt.Chart(_data(total)).mark_bar(color="#54a24b", height={"band": 0.6}).encode(x="gib:Q", y=y),
        alt.Chart(_data(total)).mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y),
        alt.Chart(_data(total)).mark_tick(thickness=2).encode(x="low:Q", y=y),
        alt.Chart(_data(total)).mark_tick(thickness=2).encode(x="high:Q", y=y),
    ]
    if verdict is not None and verdict.usable_bytes and verdict.accelerator:
        size = verdict.usable_bytes / GIB
        words = _say("usable", language, card=verdict.accelerator, size=decimal_text(size, 1, language))
        end = _data([{"gib": size, "text": words}])
        layers.append(alt.Chart(end).mark_rule(strokeDash=[6, 4], strokeWidth=2, color="#e45756").encode(x="gib:Q"))
        layers.append(alt.Chart(end).mark_text(align="center", baseline="bottom", dy=-4).encode(x="gib:Q", y=alt.value(0), text="text:N"))
    return _finished(alt.layer(*layers), _say("memory", language), height=26 * (len(order) + 1))


def context_chart(ctx: Context, job: Mapping[str, Any], verdict: FitVerdict | None, language: Language) -> Any | None:
    """Memory over context length for the job's method and the usual others; None where length means nothing for the model."""
    methods = [str(job.get("method", "qlora"))]
    methods += [method for method in COMPARED_METHODS if method not in methods]
    rows: list[dict[str, Any]] = []
    for method in methods:
        for length in CONTEXTS:
            peak = _peak(ctx, job, method, length)
            if peak is not None:
                rows.append({"context": length, "gib": peak / GIB, "method": method})
    if len({row["gib"] for row in rows}) < 3:
        return None
    data = _data(rows)
    grouped = "replace(format(datum.value, ','), ',', '.')" if language == "de" else "format(datum.value, ',')"
    axis = alt.Axis(values=list(CONTEXTS), labelExpr=grouped)
    x = alt.X("context:Q", scale=alt.Scale(type="log", base=2, padding=40), title=_say("context", language), axis=axis)
    y = alt.Y("gib:Q", scale=alt.Scale(type="log"), title=_say("per_card", language), axis=alt.Axis(labelExpr=grouped))
    base = alt.Chart(data)
    color = alt.Color("method:N", legend=None, scale=alt.Scale(scheme="tableau10"))
    layers: list[Any] = [
        base.mark_line().encode(x=x, y=y, color=color, strokeDash=alt.StrokeDash("method:N", legend=None)),
        base.mark_point(filled=True, size=45).encode(
            x="context:Q",
            y="gib:Q",
            color=color,
            shape=alt.Shape("method:N", legend=None),
            tooltip=["method:N", "context:Q", alt.Tooltip("gib:Q", format=".1f")],
        ),
        alt.Chart(_data([row for row in rows if row["context"] == CONTEXTS[-1]]))
        .mark_text(align="left", dx=7)
        .encode(x="context:Q", y="gib:Q", text="method:N"),
    ]
    if verdict is not None and verdict.usable_bytes and verdict.accelerator:
        size = verdict.usable_bytes / GIB
        words = _say("usable", language, card=verdict.accelerator, size=decimal_text(size, 1, language))
        end = _data([{"gib": size, "text": words, "context": CONTEXTS[0]}])
        layers.append(alt.Chart(end).mark_rule(strokeDash=[6, 4], color="#e45756", strokeWidth=2).encode(y="gib:Q"))
        layers.append(alt.Chart(end).mark_text(align="left", baseline="bottom", dy=-3).encode(x="context:Q", y="gib:Q", text="text:N"))
    return _finished(alt.layer(*layers), _say("over_context", language), height=280)


def _peak(ctx: Context, job: Mapping[str, Any], method: str, length: int) -> int | None:
    arguments = {**job, "method": method, "sequence_length": length}
    if method != job.get("method"):  # what belongs to the other method's weights would contradict this one
        for name in ("weight_precision", "lora_rank", "lora_target_modules", "double_quantization", "kbit_preparation", "master_weights"):
            arguments.pop(name, None)
    try:
        result = tool("estimate_memory").run(ctx, arguments)
    except AdvisorError:
        return None  # a point that cannot be (a length beyond the model's) is not drawn
    return result.peak_device_bytes.expected if isinstance(result, MemoryEstimate) else None


def plans_chart(plans: Sequence[Plan], language: Language) -> Any | None:
    """Cost against time, the front joined and named apart by shape; None with fewer than two plans that have both."""
    priced = [(plan, plan.hours, plan.cost) for plan in plans if plan.hours is not None and plan.cost is not None]
    if len(priced) < 2:
        return None
    rows = []
    for plan, hours, cost in priced:
        beaten = any(
            (h.expected <= hours.expected and c.total.expected < cost.total.expected)
            or (h.expected < hours.expected and c.total.expected <= cost.total.expected)
            for _, h, c in priced
        )
        rows.append(
            {
                "hours": hours.expected,
                "cost": cost.total.expected,
                "low": cost.total.low,
                "high": cost.total.high,
                "name": f"{plan.accelerator_count}× {plan.accelerator}",
                "offer": f"{plan.offer.provider_name}, {plan.offer.region}, {plan.offer.as_of}",
                "kind": _say("other" if beaten else "front", language),
            }
        )
    data = _data(rows)
    x = alt.X("hours:Q", title=_say("time", language), scale=alt.Scale(zero=False, padding=20))
    y = alt.Y("cost:Q", title=_say("cost", language, currency=priced[0][2].currency), scale=alt.Scale(zero=False, padding=20))
    kind = alt.Shape("kind:N", title=_say("kind", language))
    base = alt.Chart(data)
    front = base.transform_filter(alt.datum.kind == _say("front", language))
    layers = [
        front.mark_line(strokeDash=[4, 3], color="#54a24b").encode(x=x, y=y, order="hours:Q"),
        base.mark_rule(opacity=0.5).encode(x="hours:Q", y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=90).encode(
            x="hours:Q",
            y="cost:Q",
            shape=kind,
            color=alt.Color("kind:N", title=_say("kind", language), scale=alt.Scale(range=["#54a24b", "#9d755d"])),
            tooltip=["name:N", "offer:N", alt.Tooltip("hours:Q", format=".2f"), alt.Tooltip("cost:Q", format=".2f")],
        ),
        base.mark_text(align="left", dx=8, dy=-6).encode(x="hours:Q", y="cost:Q", text="name:N"),
    ]
    return _finished(alt.layer(*layers), _say("plans", language), height=280)


def _finished(chart: Any, title: str, height: int) -> Any:
    """Size, title and the description that a screen reader reads."""
    return (
        chart.properties(
            width=WIDTH, height=height, title=title, description=title, autosize=alt.AutoSizeParams(type="fit", contains="padding")
        )
        .configure_view(stroke=None)
        .configure_axis(labelLimit=220)
        .configure_legend(orient="bottom")
    )
