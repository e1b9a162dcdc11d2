"""Sphinx's settings for the site. Formulas become MathML when it is built, so that pages need no script for them."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

language = "en"
extensions = ["myst_nb"]
root_doc = "index"

nb_execution_mode = "off"
nb_code_prompt_show = "Show what comes out: it answers the question above"
nb_code_prompt_hide = "Hide it"
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


def setup(app: Sphinx) -> None:
    """Let Sphinx write formulas as MathML."""
    app.add_html_math_renderer("mathml", (_math, None), (_math_block, None))


def _math(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _math_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode
