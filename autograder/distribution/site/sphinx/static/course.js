// What scrolls sideways can be scrolled with the keyboard too.
function makeScrollersReachable() {
  for (const region of document.querySelectorAll("pre, .formula, .table-wrapper")) {
    if (region.scrollWidth > region.clientWidth) {
      region.tabIndex = 0;
    } else {
      region.removeAttribute("tabindex");
    }
  }
}

addEventListener("load", makeScrollersReachable);
addEventListener("resize", makeScrollersReachable);
