"""The guard lets every composed answer pass and stops each way of getting a figure wrong."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.answer import ToolResult
from advisor.phrasing.compose import compose
from advisor.phrasing.grounding import check
from advisor.slots import Intent
from tests.advisor.phrasing.samples import TODAY, asked, memory, offered, passages, plan, planned
from tools.estimate import Citation

JOB = {"model": "example/Sample-8B", "method": "qlora", "accelerator": "RTX 4090 24GB", "sequence_length": 2048}
RESULTS = [memory(JOB), passages("A 24 GB card is enough for small models."), planned(JOB, [plan()])]
GUIDE = Citation(id="guide:0", title="Article 0", source="https://example.org", quote="A 24 GB card is enough.", marker="[1]")


@pytest.mark.parametrize(
    ("text", "faulty"),
    [
        pytest.param("It takes 9.4 GiB (8.1–11.2).", False, id="a-figure-of-a-result"),
        pytest.param("It takes 9.5 GiB (8.1–11.2).", True, id="a-changed-digit"),
        pytest.param("It takes 8.1 GiB (9.4–11.2).", True, id="two-swapped-figures"),
        pytest.param("It takes 3 GiB.", True, id="a-figure-only-the-user-named"),
        pytest.param("You said 3 GiB.", False, id="the-users-figure-as-the-users"),
        pytest.param("A 24 GB card is enough [1].", False, id="a-figure-of-a-passage-with-its-marker"),
        pytest.param("A 77 GB card is enough [1].", True, id="a-figure-the-passage-does-not-hold"),
        pytest.param("See the guide [2].", True, id="a-marker-without-a-citation"),
        pytest.param("**It does not fit.** QLoRA takes 9.4 GiB.", True, id="a-flipped-verdict"),
        pytest.param("**Das passt nicht.** QLoRA braucht 9,4 GiB.", True, id="a-flipped-verdict-in-german"),
        pytest.param("**It fits.** QLoRA takes 9.4 GiB.", False, id="the-verdict-of-the-result"),
        pytest.param("The price is of 2026-09-03.", False, id="a-date-of-a-price"),
        pytest.param("The price is of 2026-09-04.", True, id="a-date-from-nowhere"),
        pytest.param("The RTX 4090 24GB and ZeRO-3 with CUDA 12.8 and an 8-bit optimizer.", False, id="names-and-versions"),
        pytest.param("It costs 3.98 USD (3.10–5.40).", False, id="money-of-a-plan"),
        pytest.param("It costs 4.10 USD.", True, id="money-from-nowhere"),
        pytest.param("It takes 5.3 h.", False, id="hours-of-a-plan"),
        pytest.param("It takes 9.4 h.", True, id="bytes-sold-as-hours"),
    ],
)
def test_a_sentence_passes_only_where_every_figure_has_its_source(text: str, faulty: bool) -> None:
    assert bool(check(text, RESULTS, [GUIDE], "does it need 3 GiB?")) is faulty


peaks = st.floats(1, 900).flatmap(lambda mid: st.tuples(st.floats(0.7, 1), st.floats(1, 1.4)).map(lambda f: (mid * f[0], mid, mid * f[1])))


@st.composite
def turns(draw: Any) -> tuple[Any, list[ToolResult]]:
    intent = draw(st.sampled_from(get_args(Intent)))
    language = draw(st.sampled_from(["en", "de"]))
    card = draw(st.sampled_from([None, "RTX 4090 24GB", "H100 SXM 80GB"]))
    count = draw(st.sampled_from([1, 2, 8]))
    methods = draw(st.lists(st.sampled_from(["lora", "qlora", "full"]), unique=True, max_size=3))
    results = []
    for method in methods:
        job = {"model": "example/Sample-8B", "method": method}
        if card:
            job |= {"accelerator": card, "accelerator_count": count}
        results.append(memory(job, peak=draw(peaks), usable=23.6 if card and "24" in card else 79.2))
    texts = draw(st.lists(st.sampled_from(["Save often, a run may stop.", "About 18 bytes per parameter are held."]), max_size=2))
    results.append(passages(*texts, language=language))
    if draw(st.booleans()):
        results.append(planned({"model": "example/Sample-8B"}, [plan(hours=draw(st.booleans()))]))
    if draw(st.booleans()):
        results.append(offered({"accelerator": "H100"}))
    term = draw(st.sampled_from([None, "spot", ["spot", "on_demand"]]))
    refusal = draw(st.sampled_from([None, None, None, "refuse_instruction"]))
    return asked(intent, language, model="Sample-8B", pricing_term=term, refusal=refusal), results


@given(turns())
def test_every_composed_answer_passes_and_stays_short(turn: tuple[Any, list[ToolResult]]) -> None:
    u, results = turn
    draft = compose(u, results, today=TODAY, question="what about 7 GiB")
    assert check(draft.text, results, draft.citations, "what about 7 GiB") == []
    assert 0 < len(draft.text.split()) <= 350
    assert draft.text == compose(u, results, today=TODAY, question="what about 7 GiB").text
