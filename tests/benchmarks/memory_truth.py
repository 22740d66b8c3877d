"""Estimate against execution: real Hugging Face model classes run under FakeTensorMode, bytes counted by storage and phase.

    python -m tests.benchmarks.memory_truth [family ...]

No weights and no card are needed: tensors are fake, every storage that lives is counted. Full fine-tuning in pure bf16 with
foreach AdamW; a few layers are run and scaled to the depth of the model. Printed: measured and estimated GiB by phase.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from knowledge.context import open_context
from tools.job import JobArguments
from tools.memory.phases import Device
from tools.resolve import resolve_job
from tools.units import GIB

PHASES = ("load", "forward", "backward", "optimizer_step")


@dataclass(frozen=True, slots=True)
class Case:
    """One model class with its configuration, and how it is run."""

    name: str
    config: dict[str, Any]
    sequence: int = 1024
    batch: int = 2
    checkpointing: bool = False


LLAMA = {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_attention_heads": 32, "num_key_value_heads": 4}
CASES = {
    "llama": {**LLAMA, "num_hidden_layers": 6, "vocab_size": 32000, "tie_word_embeddings": False},
    "llama-wide-vocabulary": {**LLAMA, "num_hidden_layers": 6, "vocab_size": 128256, "tie_word_embeddings": True},
    "qwen2": {
        "model_type": "qwen2",
        "hidden_size": 1536,
        "intermediate_size": 8960,
        "num_attention_heads": 12,
        "num_key_value_heads": 2,
        "num_hidden_layers": 6,
        "vocab_size": 151936,
        "tie_word_embeddings": True,
    },
    "mistral": {
        "model_type": "mistral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "num_hidden_layers": 4,
        "vocab_size": 32000,
        "tie_word_embeddings": False,
        "sliding_window": None,
    },
    "gpt2": {"model_type": "gpt2", "n_embd": 1024, "n_layer": 6, "n_head": 16, "vocab_size": 50257, "n_positions": 1024},
    "bert": {
        "model_type": "bert",
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "num_attention_heads": 16,
        "num_hidden_layers": 6,
        "vocab_size": 30522,
        "max_position_embeddings": 512,
    },
}
"""A few layers of released shapes, as the objects of their `config.json`."""


def cases() -> Iterator[Case]:
    """Each family at two lengths, with and without checkpointing."""
    for name, config in CASES.items():
        longest = int(config.get("max_position_embeddings", config.get("n_positions", 2048)))
        for sequence in (longest // 4, longest):
            for checkpointing in (False, True):
                yield Case(name, config, sequence, 2, checkpointing)


def live_bytes() -> tuple[Any, Callable[[], int], Callable[[], int]]:
    """(dispatch mode that counts storages, bytes alive, peak since the last call)."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    state = {"now": 0, "peak": 0}
    alive: set[int] = set()

    def gone(key: int, size: int) -> None:
        alive.discard(key)
        state["now"] -= size

    class Counter(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            for leaf in tree_leaves(result):
                if isinstance(leaf, torch.Tensor):
                    storage = leaf.untyped_storage()
                    if storage._cdata not in alive:
                        alive.add(storage._cdata)
                        state["now"] += storage.nbytes()
                        weakref.finalize(storage, gone, storage._cdata, storage.nbytes())
            state["peak"] = max(state["peak"], state["now"])
            return result

    def peak() -> int:
        highest, state["peak"] = state["peak"], state["now"]
        return highest

    return Counter(), lambda: state["now"], peak


@contextmanager
def fake_tensors() -> Iterator[None]:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        yield


def executed(case: Case) -> dict[str, int]:
    """Bytes at the peak of each phase of one training step, the second one, so that states exist."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification

    mode, now, peak = live_bytes()
    settings = {key: value for key, value in case.config.items() if key != "model_type"}
    config = AutoConfig.for_model(case.config["model_type"], **settings, use_cache=False, attn_implementation="sdpa")
    encoder = case.config["model_type"] == "bert"
    found: dict[str, int] = {}
    with fake_tensors(), mode:
        build = AutoModelForSequenceClassification if encoder else AutoModelForCausalLM
        model = build.from_config(config, dtype=torch.bfloat16)
        model.train()
        if case.checkpointing:
            model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, foreach=True)
        found["load"] = now()
        for _ in range(2):
            ids = torch.zeros((case.batch, case.sequence), dtype=torch.long)
            labels = torch.zeros((case.batch,), dtype=torch.long) if encoder else ids
            peak()
            loss = model(input_ids=ids, labels=labels).loss
            found["forward"] = peak()
            loss.backward()
            found["backward"] = peak()
            optimizer.step()
            found["optimizer_step"] = peak()
            optimizer.zero_grad(set_to_none=True)
            del loss
    return found


def estimated(case: Case) -> dict[str, int]:
    """The estimate of the same job, from its configuration object."""
    arguments = {
        "model": "custom",
        "model_config": case.config,
        "method": "full",
        "weight_precision": "bf16",
        "compute_precision": "bf16",
        "optimizer_state_precision": "bf16",
        "optimizer": "adamw_torch",
        "sequence_length": case.sequence,
        "micro_batch_size": case.batch,
        "activation_checkpointing": "full" if case.checkpointing else "none",
        "attention": "sdpa",
    }
    job = resolve_job(open_context(), JobArguments.model_validate(arguments))
    return {name: round(sum(bag.values())) for name, bag in Device(job).anatomy().phases.items()}


def main() -> None:
    wanted = set(sys.argv[1:])
    print(f"{'family':22s} tokens   checkpointed  " + "  ".join(f"{phase:>20s}" for phase in PHASES) + "   peak")
    for case in cases():
        if wanted and case.name not in wanted:
            continue
        truth, guess = executed(case), estimated(case)
        cells = "  ".join(f"{truth[p] / GIB:6.2f} {guess[p] / GIB:6.2f} {guess[p] / truth[p] - 1:+6.1%}" for p in PHASES)
        error = max(guess.values()) / max(truth.values()) - 1
        print(f"{case.name:22s} {case.batch} x {case.sequence:5d}  {case.checkpointing!s:5s}  {cells}  {error:+6.1%}", flush=True)


if __name__ == "__main__":
    main()
