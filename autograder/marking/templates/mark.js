const forms = [...document.querySelectorAll("form")];
const fields = form => [form.elements.points, form.elements.comment];

function count() {
  const waiting = forms.filter(form => "waits" in form.dataset).length;
  document.getElementById("waiting").textContent =
    waiting ? `${waiting} of ${forms.length} answers wait.` : `All ${forms.length} answers are marked.`;
}

function show(form, style, text) {
  form.className = style;
  form.querySelector("output").textContent = text;
}

const meaning = {points: value => value === "" ? null : Number(value), comment: value => value};
const meant = field => meaning[field.name](field.value);

function typed(form) {
  const changed = fields(form).filter(field => meant(field) !== meaning[field.name](field.defaultValue));
  return Object.fromEntries(changed.map(field => [field.name, meant(field)]));
}

let before = Promise.resolve();

function save(form, given = {}) {
  before = before.then(() => send(form, given));
  return before;
}

async function send(form, given) {
  const {points} = form.elements;
  if (!points.checkValidity()) {
    show(form, "failed", `Not saved: ${points.validationMessage}`);
    return false;
  }
  const changes = {...typed(form), ...given};
  if (!Object.keys(changes).length) {
    if (form.classList.contains("failed")) {
      show(form, "", "");
    }
    return true;
  }
  const {name, notebook, lesson, student, words, change} = form.dataset;
  const mark = {name, notebook, lesson, student, words, change, ...changes};
  try {
    const answer = await fetch("mark", {method: "POST", body: JSON.stringify(mark)});
    const isJson = answer.headers.get("Content-Type").includes("json");
    const {problem, ...now} = isJson ? await answer.json() : {problem: answer.statusText};
    if ("above" in now) {
      take(form, now, problem ? {} : mark);
    }
    if (answer.status === 409) {
      offer(form, problem, now);
    } else {
      show(form, problem ? "failed" : "saved", problem ? `Not saved: ${problem}` : saved(form, changes));
    }
    count();
    return !problem;
  } catch {
    show(form, "failed", "Not saved: the program that serves this page has ended. Start it again, and open the address that it shows.");
    return false;
  }
}

function saved(form, changes) {
  if (changes.points !== null) {
    return "saved";
  }
  return "waits" in form.dataset ? "saved: no points, so the answer waits again" : "saved: no points by hand, the grader's count";
}

// What the answer is now; what was typed and is not saved stays in its field.
function take(form, now, sent) {
  for (const field of fields(form)) {
    const untouched = field.value === field.defaultValue;
    const isSaved = meant(field) === sent[field.name];
    field.defaultValue = now[field.name].replace(/\r\n?/g, "\n");
    if (untouched || isSaved) {
      field.value = field.defaultValue;
    }
  }
  const seen = form.querySelector(".now");
  const hasOthers = form.dataset.words !== now.words;
  form.querySelector(".above").innerHTML = now.above;
  form.querySelector(".below").innerHTML = now.below;
  if (hasOthers && !form.querySelector(`.version[data-words="${form.dataset.words}"]`)) {
    seen.className = "version";
    form.querySelector(".versions").prepend(seen);
    form.querySelector(".now h4").hidden = seen.querySelector("h4").hidden = false;
    seen.querySelector("h4").textContent = "What you had before you";
  }
  Object.assign(form.dataset, {words: now.words, change: now.change});
  form.toggleAttribute("data-waits", now.waits);
}

// Both marks, and the choice between them.
function offer(form, problem, now) {
  show(form, "failed stale", `Not saved: ${problem}.`);
  const there = [now.points === "" ? "no points" : `${now.points} points`, now.comment && `“${now.comment}”`];
  const choice = document.createElement("p");
  choice.className = "choice";
  choice.append(
    `There now: ${there.filter(Boolean).join(", ")}. What you typed is in the fields. `,
    button("Save mine", () => save(form)),
    " ",
    button("Take what is there", () => {
      form.reset();
      choice.remove();
      show(form, "", "");
    }),
  );
  form.querySelector(".below").prepend(choice);
}

function button(label, act) {
  const made = document.createElement("button");
  Object.assign(made, {type: "button", textContent: label});
  made.addEventListener("click", async ({target}) => {
    const {points} = target.form.elements;
    await act();
    points.focus();
  });
  return made;
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
  form.addEventListener("change", () => form.classList.contains("stale") || save(form));
  form.addEventListener("click", async ({target}) => {
    if ("points" in target.dataset) {
      const {points, comment} = target.dataset;
      await save(form, {points: points === "" ? null : Number(points), ...(comment !== undefined && {comment})});
      form.elements.points.focus();
    }
  });
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
addEventListener("beforeunload", event => {
  if (forms.some(form => Object.keys(typed(form)).length)) {
    event.preventDefault();
  }
});
count();
const first = forms.find(form => "waits" in form.dataset);
if (first) {
  first.elements.points.focus({preventScroll: true});
}
