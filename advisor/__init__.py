"""The agent: understanding, policy, phrasing, grounding guard, conversations, settings."""
