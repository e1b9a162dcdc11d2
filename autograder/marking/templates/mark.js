const forms = [...document.querySelectorAll("form[data-answer]")];
const sections = [...document.querySelectorAll("section")];
const fields = form => [form.elements.points, form.elements.comment];
const ofForm = form => form.closest("section");
const byId = id => document.getElementById(`answer-${id}`);
const letter = place => String.fromCharCode(97 + place);

// An item is sent, and comes, as a list.
const itemOf = ([id, says, points]) => ({id, says, points});
const sentItem = item => item && [item.id, item.says, item.points];

const rubric = new Map(sections.map(one => [one, JSON.parse(one.dataset.items).map(itemOf)]));
const comments = new Map(sections.map(one => [one, JSON.parse(one.dataset.comments)]));
const picked = new Map(forms.map(form => [form, JSON.parse(form.dataset.items)]));
let current = forms[0];

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Progress and filter

const KINDS = {
  all: () => true,
  waits: form => "waits" in form.dataset,
  marked: form => !("waits" in form.dataset),
  before: form => "before" in form.dataset,
};

function count() {
  const marked = forms.filter(KINDS.marked).length;
  document.getElementById("waiting").textContent =
    marked < forms.length ? `${marked} of ${forms.length} marked, ${forms.length - marked} wait` : `All ${forms.length} answers are marked`;
  Object.assign(document.getElementById("progress"), {max: forms.length, value: marked});
  for (const input of document.querySelectorAll("#filter input")) {
    const those = forms.filter(KINDS[input.value]).length;
    input.nextElementSibling.textContent = those;
  }
  for (const section of sections) {
    const own = forms.filter(form => ofForm(form) === section);
    section.querySelector(".count").textContent = `${own.filter(KINDS.marked).length} of ${own.length}`;
  }
}

const isMember = form => "leader" in form.dataset;
const members = form => forms.filter(one => one.dataset.leader === form.dataset.answer);

function filter() {
  const wanted = KINDS[document.querySelector("#filter input:checked").value];
  for (const form of forms) {
    form.hidden = isMember(form) || ![form, ...members(form)].some(wanted);
  }
  for (const section of sections) {
    section.querySelector(".none").hidden = forms.some(form => ofForm(form) === section && !form.hidden);
  }
}

document.getElementById("filter").addEventListener("change", filter);

// An answer

function show(form, style, text) {
  form.className = style;
  form.querySelector("output").textContent = text;
}

const meaning = {points: value => value === "" ? null : Number(value), comment: value => value};
const meant = field => meaning[field.name](field.value);
const isSame = (some, others) => some.length === others.length && some.every(one => others.includes(one));

function typed(form) {
  const changed = fields(form).filter(field => meant(field) !== meaning[field.name](field.defaultValue));
  const items = isSame(picked.get(form), JSON.parse(form.dataset.items)) ? {} : {items: picked.get(form)};
  return {...Object.fromEntries(changed.map(field => [field.name, meant(field)])), ...items};
}

const markOf = form => ({
  points: meaning.points(form.elements.points.defaultValue),
  comment: form.elements.comment.defaultValue,
  items: JSON.parse(form.dataset.items),
});

// A mark as it is sent: of which answer, as it was seen, with what changes.
const given = (form, changes) => [form.dataset.answer, Number(form.dataset.change), changes];

let before = Promise.resolve();
const done = [];

function inTurn(act) {
  before = before.then(act);
  return before;
}

async function post(path, section, sent) {
  const {lesson, name} = section.dataset;
  try {
    const answer = await fetch(path, {method: "POST", body: JSON.stringify({lesson, name, ...sent})});
    const isJson = answer.headers.get("Content-Type").includes("json");
    const now = isJson ? await answer.json() : {problem: answer.statusText};
    return {...now, isStale: answer.status === 409};
  } catch {
    return {problem: "the program that serves this page has ended. Start it again, and open the address that it shows."};
  }
}

const save = (form, clicked = {}) => inTurn(() => send(form, clicked));

async function send(form, clicked) {
  const {points} = form.elements;
  if (!points.checkValidity()) {
    show(form, "failed", `Not saved: ${points.validationMessage}`);
    return false;
  }
  const changes = {...typed(form), ...clicked};
  if (!Object.keys(changes).length) {
    if (form.classList.contains("failed")) {
      show(form, "", "");
    }
    return true;
  }
  const others = members(form);
  const whole = {...markOf(form), ...changes};
  const marks = [given(form, others.length ? whole : changes), ...others.map(one => given(one, whole))];
  const undo = [form, ...others].map(one => [one, markOf(one)]);
  const had = itemsOf(form, picked.get(form));
  const {problem, stale, isStale, ...now} = await post("mark", ofForm(form), withItems(form, marks));
  takeAll(ofForm(form), now, form, problem ? {} : changes);
  if (!problem) {
    done.push(undo);
    show(form, "saved", saved(form, changes, others.length));
  } else if (isStale && !stale.length) {
    follow(form, had);
    show(form, "failed", `Not saved: ${problem}. Points and comment follow it now: Enter saves them.`);
  } else if (isStale) {
    const out = others.filter(one => stale.includes(one.dataset.answer));
    out.forEach(one => letOut(one, "Somebody has marked it meanwhile, or other words were handed in."));
    if (stale.includes(form.dataset.answer)) {
      offer(form, problem, now.answers[form.dataset.answer]);
    } else {
      show(form, "failed", `Not saved: ${problem}: ${out.length} of the alike answers, below by itself now. Enter saves the others.`);
    }
  } else {
    show(form, "failed", `Not saved: ${problem}`);
  }
  count();
  return !problem;
}

function saved(form, changes, others) {
  if (changes.points !== null) {
    return others ? `saved, for ${others + 1} answers` : "saved";
  }
  return "waits" in form.dataset ? "saved: no points, so the answer waits again" : "saved: no points by hand, the grader's count";
}

function takeAll(section, now, form = null, sent = {}) {
  if ("items" in now) {
    aids(section, now);
  }
  for (const [id, answer] of Object.entries(now.answers || {})) {
    if (byId(id)) {
      take(byId(id), answer, byId(id) === form ? sent : {});
    }
  }
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
  if (isSame(picked.get(form), JSON.parse(form.dataset.items)) || sent.items && isSame(picked.get(form), sent.items)) {
    picked.set(form, now.items);
  }
  form.dataset.items = JSON.stringify(now.items);
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
  for (const kind of ["waits", "before"]) {
    form.toggleAttribute(`data-${kind}`, now[kind]);
  }
  drawPicks(form);
}

// Both marks, and the choice between them.
function offer(form, problem, now) {
  show(form, "failed stale", `Not saved: ${problem}.`);
  const there = [now.points === "" ? "no points" : `${now.points} points`, now.comment && `“${now.comment}”`];
  const choice = element("p", {className: "choice"},
    `There now: ${there.filter(Boolean).join(", ")}. What you typed is in the fields. `,
    button("Save mine", () => save(form)),
    " ",
    button("Take what is there", () => {
      form.reset();
      picked.set(form, JSON.parse(form.dataset.items));
      drawPicks(form);
      choice.remove();
      show(form, "", "");
    }),
  );
  form.querySelector(".below").prepend(choice);
}

function button(label, act) {
  const made = element("button", {type: "button", textContent: label});
  made.addEventListener("click", async ({target}) => {
    const {points} = target.form.elements;
    await act();
    points.focus();
  });
  return made;
}

function undo() {
  return inTurn(async () => {
    const last = done.pop();
    if (!last) {
      show(current, "", "Nothing to undo on this page since it was opened.");
      return;
    }
    const [[form]] = last;
    const marks = last.map(([one, mark]) => given(one, mark));
    const {problem, isStale, stale, ...now} = await post("mark", ofForm(form), withItems(form, marks));
    takeAll(ofForm(form), now);
    show(form, problem ? "failed" : "saved", problem ? `Not undone: ${problem}` : "undone");
    count();
    focusOn(form);
  });
}

// Rubric items and comments

const itemsOf = (form, ids) => rubric.get(ofForm(form)).filter(one => ids.includes(one.id));
const sumOf = items => items.reduce((sum, one) => sum + one.points, 0);

// Marks as they are sent, with the rubric items that they have as they are shown here.
const withItems = (form, marks) => ({marks, rubric: itemsOf(form, marks.flatMap(([, , changes]) => changes.items ?? [])).map(sentItem)});

// What is typed in, with items as they are now in the place of those that it had.
function follow(form, had) {
  const {points, comment} = form.elements;
  const now = itemsOf(form, picked.get(form));
  points.value = within(points, meant(points) + sumOf(now) - sumOf(had));
  const says = new Map(had.map(one => [one.says, now.find(other => other.id === one.id)?.says]));
  comment.value = comment.value.split("\n").map(line => says.has(line) ? says.get(line) : line).filter(line => line !== undefined).join("\n");
}

const within = (points, value) => Math.min(Math.max(value, 0), Number(points.max));

// A rubric item given or taken off: its points and its line of the comment go with it.
function pick(form, item) {
  const {points, comment} = form.elements;
  const old = picked.get(form);
  const now = old.includes(item.id) ? old.filter(id => id !== item.id) : [...old, item.id];
  const [sum, wanted] = [old, now].map(ids => sumOf(itemsOf(form, ids)));
  const typedIn = meant(points);
  const isSum = typedIn === null || old.length > 0 && typedIn === within(points, sum);
  points.value = isSum ? (now.length ? within(points, wanted) : "") : within(points, typedIn + wanted - sum);
  const lines = comment.value.split("\n").filter(line => line !== item.says && line !== "");
  comment.value = (now.includes(item.id) ? [...lines, item.says] : lines).join("\n");
  picked.set(form, now);
  drawPicks(form);
  return save(form);
}

function drawPicks(form) {
  const focused = form.contains(document.activeElement) && document.activeElement.dataset.item;
  form.querySelector(".picks").replaceChildren(...rubric.get(ofForm(form)).map((item, place) => {
    const made = element("button", {type: "button"}, element("kbd", {textContent: letter(place)}), ` ${item.says} `, element("b", {textContent: signed(item.points)}));
    made.setAttribute("aria-pressed", picked.get(form).includes(item.id));
    made.dataset.item = item.id;
    made.addEventListener("click", () => pick(form, item));
    return made;
  }));
  form.querySelector(`[data-item="${focused}"]`)?.focus();
}

const signed = points => `${points < 0 ? "−" : "+"}${Math.abs(points)}`;

function aids(section, now) {
  rubric.set(section, now.items.map(itemOf));
  comments.set(section, now.comments);
  section.querySelector(".offer").hidden = !now.offered;
  section.querySelector(".recorded").innerHTML = now.record;
  drawAids(section);
  for (const form of forms.filter(form => ofForm(form) === section)) {
    picked.set(form, itemsOf(form, picked.get(form)).map(one => one.id));
    drawPicks(form);
  }
}

function drawAids(section) {
  const rows = [...rubric.get(section), null].map((item, place) => itemRow(section, item, place));
  const typing = section.querySelector(".rubric .new");
  const unsaved = typing && [...typing.querySelectorAll("input")].map(input => input.value);
  if (!section.querySelector(".rubric").contains(document.activeElement) || !typing) {
    section.querySelector(".rubric").replaceChildren(...rows);
    unsaved?.forEach((value, place) => section.querySelectorAll(".rubric .new input")[place].value = value);
  }
  section.querySelector(".bank").replaceChildren(...comments.get(section).map((line, place) => {
    const made = element("button", {type: "button"}, element("kbd", {textContent: `#${place + 1}`}), ` ${line}`);
    made.addEventListener("click", () => insert(ofSection(section), line));
    return element("li", {}, made);
  }));
}

const ofSection = section => current && ofForm(current) === section ? current : forms.find(form => ofForm(form) === section && !form.hidden);

function itemRow(section, item, place) {
  const label = item ? `Rubric item ${letter(place)}` : "New rubric item";
  const points = element("input", {type: "number", step: "any", value: item ? item.points : "", placeholder: "+1"});
  const says = element("input", {type: "text", value: item ? item.says : "", placeholder: "a new item", maxLength: 300});
  points.setAttribute("aria-label", `${label}: points`);
  says.setAttribute("aria-label", `${label}: text`);
  const row = element("li", {className: item ? "" : "new"}, element("kbd", {textContent: item ? letter(place) : "+"}), " ", points, " ", says);
  const keep = () => says.value.trim() && change(section, item, {id: 0, ...item, says: says.value.trim(), points: Number(points.value || (item ? 0 : 1))}, row);
  if (item) {
    const remove = element("button", {type: "button", textContent: "×"});
    remove.setAttribute("aria-label", `Remove rubric item ${letter(place)}`);
    remove.addEventListener("click", () => change(section, item, null, row));
    row.append(" ", remove);
    row.addEventListener("change", keep);
  }
  row.addEventListener("keydown", event => {
    if (event.key === "Enter") {
      event.preventDefault();
      keep();
    }
  });
  return row;
}

function change(section, seen, now, row) {
  if (seen && now && seen.says === now.says && seen.points === now.points) {
    return;
  }
  return inTurn(async () => {
    const {problem, isStale, stale, ...answer} = await post("item", section, {seen: sentItem(seen), now: sentItem(now)});
    section.querySelector(".problem").textContent = problem ? `Not saved: ${problem}` : "";
    if (!("items" in answer)) {
      return;
    }
    const wasNew = row.classList.contains("new");
    row.querySelectorAll("input").forEach(input => wasNew && !problem && (input.value = ""));
    const held = row.contains(document.activeElement) && document.activeElement.matches("input[type=text]") && !wasNew;
    document.activeElement.blur();
    takeAll(section, answer);
    drawAids(section);
    count();
    if (wasNew) {
      section.querySelector(".rubric .new input[type=text]").focus();
    } else if (!held) {
      ofSection(section)?.elements.points.focus();
    }
  });
}

// The lesson's own rubric becomes items that can be clicked.
function takeOver(section) {
  return inTurn(async () => {
    const {problem, ...now} = await post("rubric", section, {});
    section.querySelector(".problem").textContent = problem ? `Not saved: ${problem}` : "";
    takeAll(section, now);
    ofSection(section)?.elements.points.focus();
  });
}

function insert(form, line) {
  const {comment} = form.elements;
  const lines = comment.value.split("\n").filter(one => one !== "" && one !== line);
  comment.value = [...lines, line].join("\n");
  comment.focus();
  comment.setSelectionRange(comment.value.length, comment.value.length);
}

// `#2` before the cursor becomes the second comment.
function expand(form) {
  const {comment} = form.elements;
  const found = /(?:^|\s)#(\d+)$/.exec(comment.value.slice(0, comment.selectionStart));
  const line = found && comments.get(ofForm(form))[found[1] - 1];
  if (!line) {
    return false;
  }
  comment.value = comment.value.slice(0, found.index) + comment.value.slice(comment.selectionStart);
  insert(form, line);
  return true;
}

// Answers that are alike

function drawAlike(form) {
  const those = members(form).length;
  const alike = form.querySelector(".alike");
  alike.hidden = !those;
  alike.querySelector("summary").textContent = `Marked together with ${those} that ${those === 1 ? "is" : "are"} alike`;
}

function letOut(form, text) {
  const leader = byId(form.dataset.leader);
  delete form.dataset.leader;
  leader.querySelector(`[data-member="${form.dataset.answer}"]`).remove();
  leader.after(form);
  forms.splice(forms.indexOf(form), 1);
  forms.splice(forms.indexOf(leader) + 1, 0, form);
  form.hidden = false;
  drawAlike(leader);
  show(form, "", text);
}

// Names

async function names(section) {
  const switched = section.querySelector(".names");
  const isShown = switched.getAttribute("aria-pressed") === "true";
  const {names: found = {}, problem, ...now} = isShown ? {} : await post("names", section, {});
  for (const form of forms.filter(one => ofForm(one) === section)) {
    for (const who of document.querySelectorAll(`#${form.id} > h3 .who, [data-member="${form.dataset.answer}"] .who`)) {
      who.textContent = found[form.dataset.answer] || "";
    }
  }
  if (now.record !== undefined) {
    section.querySelector(".recorded").innerHTML = now.record;
  }
  section.querySelector(".problem").textContent = problem ? `Names are not shown: ${problem}` : "";
  switched.setAttribute("aria-pressed", !isShown && !problem);
  switched.textContent = isShown || problem ? "Show names" : "Hide names";
}

// Keys

function focusOn(form) {
  form.elements.points.focus();
  form.elements.points.select();
  form.scrollIntoView({block: "nearest"});
}

function go(form, step) {
  const seen = forms.filter(one => one === form || !one.hidden);
  const next = seen[seen.indexOf(form) + step];
  if (next) {
    focusOn(next);
  }
}

const COMMANDS = {
  "?": () => document.getElementById("help").showModal(),
  U: undo,
  N: () => names(ofForm(current)),
  R: () => ofForm(current).querySelector(".rubric .new input[type=text]").focus(),
  F: () => {
    const radios = [...document.querySelectorAll("#filter input")];
    radios[(radios.findIndex(one => one.checked) + 1) % radios.length].checked = true;
    filter();
    if (current.hidden) {
      const next = forms.find(form => !form.hidden);
      if (next) {
        focusOn(next);
      }
    }
  },
  "#": () => {
    const {comment} = current.elements;
    comment.value += comment.value && !comment.value.endsWith("\n") ? "\n#" : "#";
    comment.focus();
    comment.setSelectionRange(comment.value.length, comment.value.length);
  },
};

addEventListener("keydown", event => {
  const isText = event.target.matches("textarea, .rubric input");
  if (isText || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
    return;
  }
  const item = /^[a-z]$/.test(event.key) && rubric.get(ofForm(current))[event.key.charCodeAt(0) - 97];
  if (event.key in COMMANDS) {
    event.preventDefault();
    COMMANDS[event.key]();
  } else if (/^[a-z]$/.test(event.key)) {
    event.preventDefault();
    if (item) {
      pick(current, item);
    }
  }
});

for (const form of forms) {
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("focusin", () => current = form);
  form.addEventListener("change", () => inTurn(() => form.classList.contains("stale") || send(form, {})));
  form.addEventListener("click", async ({target}) => {
    if ("points" in target.dataset) {
      const {points, comment, items} = target.dataset;
      await save(form, {points: points === "" ? null : Number(points), items: JSON.parse(items), ...(comment !== undefined && {comment})});
      form.elements.points.focus();
    }
  });
  form.addEventListener("keydown", async event => {
    const isComment = event.target.name === "comment";
    if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      go(form, event.key === "ArrowDown" ? 1 : -1);
    } else if (isComment && (event.key === " " || event.key === "Enter") && expand(form)) {
      event.preventDefault();
    } else if (event.key === "Escape" && event.target.name !== "points") {
      form.elements.points.focus();
    } else if (event.key === "Enter" && (event.target.name === "points" || event.ctrlKey)) {
      event.preventDefault();
      const saving = save(form);
      if (form.elements.points.checkValidity()) {
        go(form, 1);
      }
      if (!await saving && !Object.keys(typed(current)).length) {
        focusOn(form);
      }
    }
  });
  drawPicks(form);
  drawAlike(form);
}
for (const section of sections) {
  drawAids(section);
  section.querySelector(".names").addEventListener("click", () => names(section));
  section.querySelector(".take-over").addEventListener("click", () => takeOver(section));
}
document.getElementById("keys").addEventListener("click", COMMANDS["?"]);
addEventListener("beforeunload", event => {
  if (forms.some(form => Object.keys(typed(form)).length)) {
    event.preventDefault();
  }
});
count();
const first = forms.find(form => "waits" in form.dataset && !form.hidden);
if (first) {
  first.elements.points.focus({preventScroll: true});
}
