// What is wider than the page can be scrolled with the keyboard as well, in browsers that do not see to it themselves.
function reach() {
  for (const one of document.querySelectorAll("pre, .table-wrapper, .formula")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}
addEventListener("load", reach);
addEventListener("resize", reach);
