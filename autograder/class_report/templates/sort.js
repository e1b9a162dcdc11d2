for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, heads, column));
    head.append(button);
  });
}

function sortBy(table, heads, column) {
  const descending = heads[column].getAttribute("aria-sort") === "ascending";
  const words = new Intl.Collator("en", { numeric: true });
  const rows = [...table.tBodies[0].rows].sort((one, other) => {
    const [a, b] = [one, other].map((row) => row.cells[column].dataset.value ?? row.cells[column].textContent);
    const order = isNaN(a) || isNaN(b) ? words.compare(a, b) : a - b;
    return descending ? -order : order;
  });
  table.tBodies[0].append(...rows);
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
}
