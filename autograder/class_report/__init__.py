"""The class report: pages and tables for the instructor, made from what grading left behind."""
