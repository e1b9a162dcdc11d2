const forms = [...document.querySelectorAll("form")];
const fields = form => [form.elements.name, form.elements.question];
const entered = (form, value) => Object.fromEntries(fields(form).map(field => [field.name, field[value].trim()]));

function show(form, style, text) {
  const named = fields(form)[0].defaultValue !== "";
  form.className = `${style} ${named ? "named" : ""}`;
  form.querySelector("output").textContent = text;
  const count = forms.filter(one => fields(one)[0].defaultValue !== "").length;
  document.getElementById("named").textContent = `${count} of ${forms.length} have a name.`;
}

async function save(form) {
  const given = entered(form, "value"), before = entered(form, "defaultValue");
  if (JSON.stringify(given) === JSON.stringify(before)) {
    return true;
  }
  try {
    const sent = JSON.stringify({mistake: form.dataset.mistake, before, given});
    const answer = await fetch("name", {method: "POST", body: sent});
    const isJson = answer.headers.get("Content-Type").includes("json");
    const {problem} = isJson ? await answer.json() : {problem: answer.statusText};
    if (problem) {
      show(form, "failed", `Not saved: ${problem}.`);
      return false;
    }
    for (const field of fields(form)) {
      field.defaultValue = field.value = given[field.name];
    }
    show(form, "saved", given.name ? "Saved: the next round tells it to all of them." : "Saved: the next round takes the name back.");
    return true;
  } catch {
    show(form, "failed", "Not saved: the program that serves this page has ended. Start it again, and open the address that it shows.");
    return false;
  }
}

for (const form of forms) {
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (await save(form)) {
      forms[forms.indexOf(form) + 1]?.elements.name.focus();
    }
  });
  show(form, "", "");
}
addEventListener("beforeunload", event => {
  if (forms.some(form => JSON.stringify(entered(form, "value")) !== JSON.stringify(entered(form, "defaultValue")))) {
    event.preventDefault();
  }
});
