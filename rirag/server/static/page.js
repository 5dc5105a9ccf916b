// What the page does beyond HTML. Every page is of use without it.
const root = document.documentElement;
root.classList.add("scripted");
const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Citations: n and p go through them, Esc returns to the one that was left.
let marker = null;
const cites = () => all(".answer .cite").filter((one) => !one.closest("details:not([open])"));
const note = (link) => {
  all(".cite.current").forEach((one) => one.classList.remove("current"));
  marker = link;
  link?.classList.add("current");
};
const open = (link) => {
  note(link);
  if (location.hash === link.hash) show(); else location.hash = link.hash;
};
const show = () => {
  const source = /^#c\d+$/.test(location.hash) ? find(location.hash) : null;
  if (!source) return note(null);
  if (marker?.hash !== location.hash) note(cites().find((one) => one.hash === location.hash));
  source.focus({ preventScroll: true });
  const pane = source.closest(".pane");
  (find("mark", source) ?? source).scrollIntoView({ block: pane ? "center" : "nearest" });
  marker?.scrollIntoView({ block: "nearest" });
};
const shut = () => {
  const back = marker;
  history.pushState(null, "", location.pathname + location.search);
  location.hash = "#answer";
  history.replaceState(null, "", location.pathname + location.search);
  note(null);
  (back ?? find("#answer"))?.focus();
};
addEventListener("hashchange", show);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.matches(".cite")) { event.preventDefault(); open(link); }
  if (link.matches(".source .close")) { event.preventDefault(); shut(); }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "Escape" && /^#c\d+$/.test(location.hash)) { event.preventDefault(); shut(); }
  const links = cites();
  if ((event.key !== "n" && event.key !== "p") || !links.length) return;
  event.preventDefault();
  const at = links.indexOf(marker);
  const step = event.key === "n" ? 1 : -1;
  open(links[at < 0 ? (step > 0 ? 0 : links.length - 1) : (at + step + links.length) % links.length]);
});

// In the contents, the place that is being read is marked.
const toc = find(".toc");
if (toc) {
  const links = new Map(all("a", toc).map((one) => [one.hash.slice(1), one]));
  const rows = all(".text-flow > .row");
  const place = () => {
    const below = rows.findIndex((one) => one.getBoundingClientRect().top > innerHeight / 4);
    const read = rows.slice(0, below < 0 ? rows.length : Math.max(below, 1)).reverse();
    const now = links.get(read.find((one) => links.has(one.id))?.id);
    if (!now || now.hasAttribute("aria-current")) return;
    all("[aria-current]", toc).forEach((one) => one.removeAttribute("aria-current"));
    now.setAttribute("aria-current", "location");
    const box = toc.parentElement;
    if (now.offsetTop < box.scrollTop || now.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = now.offsetTop - box.clientHeight / 2;
  };
  let waits = false;
  addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; place(); });
  }, { passive: true });
  place();
}

// Marked rules are kept for all parts of a document while its tab is open.
const marks = find("#duties");
if (marks) {
  const key = `rirag.marked.${marks.elements.document_id.value}`;
  const kept = () => { try { return JSON.parse(sessionStorage.getItem(key)) ?? []; } catch { return []; } };
  const boxes = all('input[form="duties"]');
  boxes.forEach((one) => { one.checked = kept().includes(one.value); });
  document.addEventListener("change", (event) => {
    if (!boxes.includes(event.target)) return;
    const others = kept().filter((id) => id !== event.target.value);
    try { sessionStorage.setItem(key, JSON.stringify(event.target.checked ? [...others, event.target.value] : others)); } catch { /* those of this part count */ }
  });
  marks.addEventListener("formdata", (event) => {
    const here = new Set(boxes.map((one) => one.value));
    kept().filter((id) => !here.has(id)).forEach((id) => event.formData.append("id", id));
  });
}

// Copy a citation. Browsers have a clipboard only where the page came over TLS or from this machine.
const copy = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const before = button.textContent;
  await copy(button.dataset.copy);
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = before; }, 1500);
});

// What htmx opens below a link, a second click closes; where that fails, the link is followed.
const opened = (link) => link.closest(".tools").querySelector(".opened");
document.addEventListener("click", (event) => {
  const link = event.target.closest("[hx-target]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !opened(link).firstChild) return;
  event.preventDefault();
  event.stopPropagation();
  opened(link).replaceChildren();
  link.setAttribute("aria-expanded", "false");
}, true);
document.addEventListener("htmx:after:swap", (event) => event.detail.ctx.sourceElement.setAttribute("aria-expanded", "true"));
document.addEventListener("htmx:response:error", (event) => { if (event.target.href) location.href = event.target.href; });

// Recent questions stay in this browser.
const home = find(".brand").getAttribute("href");
const KEY = "rirag.recent";
const recent = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; } };
const asked = find("[data-question]")?.dataset.question;
if (asked) {
  const here = location.pathname + location.search;
  const kept = [{ asked, here }, ...recent().filter((one) => one.here !== here)].slice(0, 10);
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* no room: none are kept */ }
}
const list = find("[data-recent]");
if (list && recent().length) {
  for (const one of recent()) {
    if (!["search?", "ask?"].some((page) => one.here.startsWith(home + page))) continue;
    const link = document.createElement("a");
    link.href = one.here;
    link.textContent = one.asked;
    link.dir = "auto";
    const item = document.createElement("li");
    item.append(link);
    find("ol", list).append(item);
  }
  list.hidden = false;
  find("button", list).addEventListener("click", () => { localStorage.removeItem(KEY); list.hidden = true; });
}

// Files can be dropped.
const drop = find("[data-drop] .drop");
if (drop) {
  const over = (on) => (event) => { event.preventDefault(); drop.classList.toggle("over", on); };
  drop.addEventListener("dragover", over(true));
  drop.addEventListener("dragleave", over(false));
  drop.addEventListener("drop", (event) => { over(false)(event); find("input", drop).files = event.dataTransfer.files; });
}

if (document.readyState === "complete" || document.readyState === "interactive") show();
