"""Sphinx's settings for the site."""

language = "en"
extensions = ["myst_nb", "autograder.publish.site.formulas"]
root_doc = "index"

nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["course.css"]
html_js_files = ["course.js"]
html_copy_source = False
html_use_index = False
html_show_copyright = False
