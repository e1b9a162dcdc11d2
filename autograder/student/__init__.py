"""What a student's process and the kit hold, with `model/`: asking answers, judging visible cases, showing verdicts."""
