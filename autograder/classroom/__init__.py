"""A class: its settings, people and dates, its gradebook and record store, and what is handed out."""
