"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const place = "rirag-study-" + data.study;
const criteria = Object.keys(data.criteria);
const fields = ["study", "rater", "item", ...criteria, "passages", "comment"];
let state = { rater: "", at: 0, ratings: {} };
try { state = Object.assign(state, JSON.parse(localStorage.getItem(place) || "{}")); } catch { /* private mode */ }

function keep() {
  try { localStorage.setItem(place, JSON.stringify(state)); } catch { /* private mode: kept until the page is closed */ }
  const done = data.items.filter((one) => criteria.every((name) => (state.ratings[one.item] || {})[name])).length;
  document.getElementById("progress").value = done / data.items.length;
  document.getElementById("status").textContent =
    `Answer ${state.at + 1} of ${data.items.length}; ${done} scored.`;
}

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function choices(title, name, options, chosen, choose) {
  const group = make("fieldset");
  group.append(make("legend", title));
  for (const option of options) {
    const label = make("label", "", { class: "choice" });
    const input = make("input", "", { type: "radio", name, value: option });
    input.checked = String(chosen ?? "") === String(option);
    input.addEventListener("change", () => { choose(option); keep(); });
    label.append(input, String(option));
    group.append(label);
  }
  return group;
}

function show() {
  const one = data.items[state.at];
  const rating = (state.ratings[one.item] ??= { passages: {}, comment: "" });
  const main = document.getElementById("item");
  main.replaceChildren(make("h2", one.question), make("div", one.answer, { class: "answer" }));
  for (const passage of one.passages) {
    const box = make("details");
    box.append(make("summary", `[${passage.number}] ${passage.name}`), passage.text);
    main.append(box, choices(`How does [${passage.number}] bear on the question?`, `p${passage.number}`,
      data.relevance, rating.passages[passage.number], (value) => { rating.passages[passage.number] = value; }));
  }
  const scale = [];
  for (let value = data.lowest; value <= data.highest; value += 1) scale.push(value);
  for (const name of criteria) {
    main.append(choices(`${data.criteria[name]} (${data.lowest} bad, ${data.highest} good)`, name, scale, rating[name],
      (value) => { rating[name] = value; }));
  }
  const label = make("label", "Comment");
  const comment = make("textarea", "", { rows: "3" });
  comment.value = rating.comment;
  comment.addEventListener("input", () => { rating.comment = comment.value; keep(); });
  label.append(comment);
  main.append(label);
  keep();
  window.scrollTo(0, 0);
}

function rows() {
  return data.items.filter((one) => state.ratings[one.item]).map((one) => {
    const rating = state.ratings[one.item];
    const passages = Object.entries(rating.passages).map(([number, value]) => `${number}=${value}`).join("; ");
    return { study: data.study, rater: state.rater, item: one.item, passages, comment: rating.comment,
      ...Object.fromEntries(criteria.map((name) => [name, rating[name] ?? ""])) };
  });
}

function save(text, type, ending) {
  if (!state.rater.trim()) {
    document.getElementById("status").textContent = "Enter your name or code first.";
    document.getElementById("rater").focus();
    return;
  }
  const link = make("a", "", { download: `${data.study}-${state.rater.replace(/\W+/g, "_")}.${ending}` });
  link.href = URL.createObjectURL(new Blob([text], { type }));
  document.body.append(link);
  link.click();
  link.remove();
}

const quoted = (value) => `"${String(value).replace(/"/g, '""')}"`;
document.getElementById("csv").addEventListener("click", () => {
  const lines = [fields, ...rows().map((row) => fields.map((name) => row[name]))];
  save(lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n", "text/csv", "csv");
});
document.getElementById("json").addEventListener("click", () => save(JSON.stringify(rows(), null, 1), "application/json", "json"));
document.getElementById("next").addEventListener("click", () => { state.at = Math.min(state.at + 1, data.items.length - 1); show(); });
document.getElementById("back").addEventListener("click", () => { state.at = Math.max(state.at - 1, 0); show(); });
const rater = document.getElementById("rater");
rater.value = state.rater;
rater.addEventListener("input", () => { state.rater = rater.value; keep(); });
state.at = Math.min(state.at, data.items.length - 1);
show();
