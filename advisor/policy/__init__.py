"""From an understanding to tool calls: what to compute, in which order, when to ask back."""
