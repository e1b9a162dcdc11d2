// The attention explorer. The weights are what the learner's function gave; the steps beside them are worked out here.
const PARTS = { scale: "dividing by √d_k", mask: "the mask", softmax: "the softmax" };
/** What single precision may change of a weight, for each unit of the largest score. */
const SINGLE = 1e-6;

/** An element with attributes and children; `on…` attributes are listeners. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") made.style.cssText = value;
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child != null));
  return made;
}

const said = (x, digits = 2) =>
  Number.isFinite(x) ? x.toFixed(Math.abs(x) >= 100 ? 0 : digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−")
    : Number.isNaN(x) ? "nan" : x > 0 ? "∞" : "−∞";
const largest = (numbers) => Math.max(...numbers.map(Math.abs).filter(Number.isFinite), 1e-9);
const numbers = (table) => table && table.map((row) => row.map(Number));

/** Dot products, scaled scores and weights (n_q, n_k) of the parts that are on; a hidden key has the score −∞. */
function work(look, on) {
  const root = on.scale ? Math.sqrt(look.K[0].length) : 1;
  const products = look.Q.map((q) => look.K.map((k) => q.reduce((sum, x, c) => sum + x * k[c], 0)));
  const hidden = (i, j) => on.mask && look.mask && !look.mask[i][j];
  const scores = products.map((row, i) => row.map((x, j) => (hidden(i, j) ? -Infinity : x / root)));
  const weights = scores.map((row) => {
    if (!on.softmax) return row.map((x) => (x === -Infinity ? 0 : x));
    const top = Math.max(...row);
    const powers = row.map((x) => (top === -Infinity ? 0 : Math.exp(x - top)));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((x) => (sum ? x / sum : 0));
  });
  return { products, scores, weights };
}

const mix = (row, V) => V[0].map((_, c) => row.reduce((sum, w, j) => sum + w * V[j][c], 0));

function render({ model, el }) {
  const seen = model.get("seen");
  const looks = seen.looks.map((look) => ({
    ...look,
    ...Object.fromEntries(["Q", "K", "V", "mask", "weights", "output"].map((part) => [part, numbers(look[part])])),
  }));
  const on = { scale: true, mask: true, softmax: true };
  /** Whether two numbers agree as for the judge; top: the largest number beside them, slack: what rounding may add. */
  const same = (a, b, top, slack = 0) => Math.abs(a - b) <= seen.tolerance * Math.max(1, top) + slack;
  let [look, i, j, shown, steps, right] = [looks[0], looks[0].Q.length - 1, 0, "yours"];
  j = look.weights[i].indexOf(Math.max(...look.weights[i]));

  const tables = make("div", { class: "tables" });
  const verdict = make("p", { class: "agreement", role: "status" });
  const lead = make("p", { class: "lead", "aria-live": "polite" });
  const detail = make("div", { class: "detail" });

  const part = (name, ...text) => name === "mask" && !look.mask ? null : make("button", {
    class: "part", type: "button", role: "switch", "aria-checked": "true", "aria-label": PARTS[name],
    title: `switch ${PARTS[name]} off or on`,
    onclick: ({ currentTarget }) => {
      on[name] = !on[name];
      currentTarget.setAttribute("aria-checked", on[name]);
      shown = Object.values(on).every(Boolean) ? "yours" : "steps";
      draw();
    },
  }, ...text);
  const formula = make("div", { class: "formula-bar", role: "group", "aria-label": "Parts that can be switched off" },
    part("softmax", "softmax"), " ( ", make("b", { class: "query" }, "Q"), " ", make("b", { class: "key" }, "K"),
    make("sup", {}, "T"), " ", part("scale", `/ √${look.K[0].length}`), " ", part("mask", "+ mask"), " ) ",
    make("b", { class: "value" }, "V"));
  const chooser = looks.length < 2 ? null : make("select", {
    "aria-label": "Which of them", onchange: (event) => { look = looks[event.target.value]; draw(); },
  }, looks.map((one, n) => make("option", { value: n }, one.name)));

  /** The colour of a number: weights from light, 0, to dark, 1; other numbers around 0, red below and blue above. */
  function paint(x, top) {
    if (!Number.isFinite(x)) return "--share: 0%";
    if (top !== 1) return `--share: ${(100 * Math.abs(x)) / top}%; --dark: var(--${x < 0 ? "below" : "above"})`;
    const [share, half] = [Math.min(Math.max(x, 0), 1), x < 0.5 ? "" : "; --light: var(--middle)"];
    return `--dark: var(--${x < 0.5 ? "middle" : "full"}); --share: ${200 * (share - (x < 0.5 ? 0 : 0.5))}%${half}`;
  }

  function grid(which, title, table, other) {
    const top = which === "yours" || on.softmax ? 1 : largest(table.flat());
    const choose = (row, column, focus) => {
      [i, j, shown] = [row, column, which];
      mark();
      if (focus) tables.querySelector(`[data-of="${which}"] [data-at="${row},${column}"]`).focus();
    };
    const moved = (event, row, column) => {
      const go = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -99], End: [0, 99] };
      if (!go[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      const within = (x, size) => Math.min(Math.max(x, 0), size - 1);
      choose(within(row + go[event.key][0], table.length), within(column + go[event.key][1], table[0].length), true);
    };
    return make("table", { role: "grid", "data-of": which, class: "weights" }, make("caption", {}, title),
      make("tr", {}, make("td", {}), seen.keys.map((key) => make("th", { scope: "col", class: "key" }, key))),
      table.map((row, y) => make("tr", {}, make("th", { scope: "row", class: "query" }, seen.queries[y]),
        row.map((x, z) => make("td", {
          role: "gridcell", "data-at": `${y},${z}`, style: paint(x, top),
          class: [top === 1 && x > 0.69 ? "dark" : "", look.mask && !look.mask[y][z] && on.mask ? "hidden" : "",
            other && !agrees(x, y, z) ? "off" : ""].join(" ").trim(),
          onmouseenter: () => choose(y, z), onfocus: () => choose(y, z), onkeydown: (event) => moved(event, y, z),
        }, said(x))))));
  }

  /** A row of numbers as bars around a middle line; `ghost` stands behind them, pale. */
  function strip(role, name, row, tops, { ghost, after, dim } = {}) {
    const wide = row.length > 8;
    return make("tr", { class: `${role} ${wide ? "wide" : ""} ${dim ? "dim" : ""}` }, make("th", { scope: "row" }, name),
      row.map((x, c) => {
        const bar = (y, kind) => make("i", {
          class: `${kind} ${y < 0 ? "down" : "up"}`, style: `height: ${Math.min(50, (50 * Math.abs(y)) / (tops[c] ?? tops)) || 0}%`,
        });
        return make("td", { title: said(x) }, make("span", { class: "bar" }, ghost && bar(ghost[c], "ghost"), bar(x, "full")),
          make("span", { class: "number" }, said(x)));
      }), after != null ? make("td", { class: "after" }, after) : null);
  }

  function mark() {
    for (const cell of tables.querySelectorAll("[data-at]")) {
      const [y, z] = cell.dataset.at.split(",").map(Number);
      const chosen = y === i && z === j;
      cell.tabIndex = chosen ? 0 : -1;
      cell.setAttribute("aria-selected", chosen);
      cell.parentElement.classList.toggle("asking", y === i);
    }
    for (const head of tables.querySelectorAll("th.key")) head.classList.toggle("asked", head.cellIndex === j + 1);
    const [query, key] = [seen.queries[i], seen.keys[j]];
    const [q, k, x] = [look.Q[i], look.K[j], look.weights[i][j]];
    const product = steps.products[i][j];
    const chain = [["q · k", product], on.scale && [`/ √${k.length}`, product / Math.sqrt(k.length)],
      on.mask && look.mask && !look.mask[i][j] && ["mask", -Infinity], on.softmax && ["softmax", steps.weights[i][j]]];
    const equal = agrees(x, i, j);
    lead.replaceChildren(make("b", { class: "query" }, query), " looks at ", make("b", { class: "key" }, key), ": ",
      ...chain.filter(Boolean).flatMap(([what, number], n) => [n ? " → " : "", make("span", { class: "step" }, `${what} `,
        make("b", {}, said(number)))]), make("span", { class: equal || right ? "step mine" : "step mine off" },
        equal ? "= function " : "≠ function ", make("b", {}, said(x))));
    const weights = shown === "yours" ? look.weights[i] : steps.weights[i];
    const tops = look.V[0].map((_, c) => largest([...look.V.map((v) => v[c]), look.output ? look.output[i][c] : 0]));
    const made = mix(weights, look.V);
    const differs = shown === "yours" && look.output && !isMix(i);
    const size = largest([...q, ...k]);
    const products = q.map((y, c) => y * k[c]);
    detail.replaceChildren(
      make("table", {}, make("caption", {}, "Number by number, then the sum"),
        strip("query", query, q, size), strip("key", key, k, size),
        strip("product", "product", products, largest(look.K.flatMap((one) => one.map((y, c) => y * q[c]))), { after: `sum ${said(product)}` })),
      make("table", {}, make("caption", {}, `What “${query}” takes of each value`),
        look.V.map((v, n) => strip(n === j ? "value chosen" : "value", seen.keys[n], v.map((y) => y * (weights[n] || 0)), tops,
          { ghost: v, after: `weight ${said(weights[n])}`, dim: Math.abs(weights[n]) < 0.005 })),
        strip("value output", "sum", made, tops, { after: "output" }),
        differs ? strip("value output off", "yours", look.output[i], tops, { after: "≠ the sum" }) : null));
  }

  /** Whether a weight of the function is that of some steps, those shown unless others are named. */
  const agrees = (x, y, z, of = steps) =>
    same(x, of.weights[y][z], largest(of.weights.flat()), SINGLE * largest(of.products.flat()));
  const apart = (of) => look.weights.flatMap((row, y) => row.filter((x, z) => !agrees(x, y, z, of))).length;
  /** Whether a row of the output is the sum that its weights make of the values. */
  const isMix = (y) => mix(look.weights[y], look.V).every((x, c) => same(x, look.output[y][c], largest(look.V.flat())));

  /** In a sentence: whether the function and the steps agree, and what the parts that are off change. */
  function judged() {
    const count = `${apart(steps)} of ${look.weights.flat().length}`;
    const without = Object.keys(PARTS).filter((name) => !on[name] && (name !== "mask" || look.mask)).map((name) => PARTS[name]);
    const off = `ithout ${without.join(" and ")}`;
    const unmixed = look.output ? look.weights.filter((row, y) => !isMix(y)).length : 0;
    const blend = unmixed ? ` ≠ In ${unmixed} of ${look.weights.length} rows its output is not the sum that its weights make of the values.` : "";
    if (!without.length) return (right ? `= The weights of ${seen.name} are what the formula gives.`
      : `≠ ${count} weights of ${seen.name} are not what the formula gives. Switch a part off: do they agree then?`) + blend;
    if (right) return apart(steps) ? `W${off}, ${count} numbers change.` : `W${off}, nothing changes here.`;
    return apart(steps) ? `≠ W${off}, ${count} numbers still differ.` : `= W${off}, the formula gives the same as ${seen.name}.`;
  }

  function draw() {
    right = !apart(work(look, { scale: true, mask: true, softmax: true }));
    steps = work(look, on);
    verdict.textContent = judged();
    verdict.classList.toggle("off", verdict.textContent.includes("≠"));
    const differ = apart(steps) > 0;
    if (!differ) shown = "yours";
    tables.replaceChildren(grid("yours", make("code", {}, seen.name), look.weights, right ? null : steps.weights),
      ...(differ ? [grid("steps", Object.values(on).every(Boolean) ? "The formula" : "The formula, with parts off", steps.weights)] : []));
    mark();
  }

  el.classList.add("look-inside");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", `Inside ${seen.name}`);
  el.replaceChildren(make("div", { class: "top" }, formula, chooser,
    make("small", {}, "Point at a weight, or use the arrow keys. Press a part of the formula to switch it off.")), verdict, tables, lead, detail);
  draw();
}

/** The same where no kernel runs: from the numbers that stand in the page. */
function revive(el) {
  const seen = JSON.parse(el.querySelector("script").textContent);
  el.dataset.live = "";
  render({ model: { get: () => seen }, el });
}

export default { render };
