"""The course as people meet it: JupyterLab, formgrader and the pages, in a real browser."""
