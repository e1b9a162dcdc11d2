const forms = [...document.querySelectorAll("form")];

function count() {
  const waiting = forms.filter(form => form.elements.points.value === "").length;
  document.getElementById("waiting").textContent =
    waiting ? `${waiting} of ${forms.length} answers wait.` : `All ${forms.length} answers are marked.`;
}

function show(form, style, text) {
  form.className = style;
  form.querySelector("output").textContent = text;
}

let before = Promise.resolve();

function save(form) {
  before = before.then(() => send(form));
  return before;
}

async function send(form) {
  const {points, comment} = form.elements;
  if (!points.checkValidity()) {
    show(form, "failed", `Not saved: ${points.validationMessage}`);
    return false;
  }
  const mark = {...form.dataset, points: points.value === "" ? null : Number(points.value), comment: comment.value};
  try {
    const answer = await fetch("mark", {method: "POST", body: JSON.stringify(mark)});
    const {problem} = answer.headers.get("Content-Type").includes("json") ? await answer.json() : {problem: answer.statusText};
    show(form, problem ? "failed" : "saved", problem ? `Not saved: ${problem}` : "saved");
    count();
    return !problem;
  } catch {
    show(form, "failed", "Not saved: the program that serves this page has ended. Start it again, and open the address that it shows.");
    return false;
  }
}

function go(form, step) {
  const next = forms[forms.indexOf(form) + step];
  if (next) {
    next.elements.points.focus();
    next.elements.points.select();
    next.scrollIntoView({block: "nearest"});
  }
}

for (const form of forms) {
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("change", () => save(form));
  form.addEventListener("keydown", async event => {
    if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      go(form, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && (event.target.name === "points" || event.ctrlKey)) {
      event.preventDefault();
      if (await save(form)) {
        go(form, 1);
      }
    }
  });
}
count();
const first = forms.find(form => form.elements.points.value === "");
if (first) {
  first.elements.points.focus({preventScroll: true});
}
