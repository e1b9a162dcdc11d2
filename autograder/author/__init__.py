"""From a lesson's source to its notebooks, its release and its answers: a teacher's side of a course."""
