"""An answer called with cases: within time, traced, with stubs for earlier answers; its results as plain data."""
