"""Between a class's folder and a learning platform: Moodle, Canvas, Gradescope. Their files in, ours out."""
