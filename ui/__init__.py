"""Thin adapters: command line, HTTP API, browser chat."""
