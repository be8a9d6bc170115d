"use strict";

const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

let values = {};        // by "element.property"
let page = null;        // what /settings says
let view = "result";
let isChoosing = false;
const controls = new Map(); // by key: shows a value

// --- Talking to the program ---

async function post(path, body) {
  const reply = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  if (!reply.ok) say(await reply.text());
  return reply.ok;
}

let waiting = null;
let isSending = false;

// Sends the newest values; those that come while one request is under way go together in the next.
async function set(changes) {
  Object.assign(values, changes);
  waiting = { ...waiting, ...changes };
  show();
  if (isSending) return;
  isSending = true;
  while (waiting) {
    const next = waiting;
    waiting = null;
    await post("settings", next).catch(() => say("The program does not answer."));
  }
  isSending = false;
}

let silence = 0;

function say(text) {
  $("message").textContent = text.trim();
  clearTimeout(silence);
  silence = setTimeout(() => { $("message").textContent = ""; }, 5000);
}

// --- Settings ---

const hex = (color) => "#" + (color & 0xffffff).toString(16).padStart(6, "0");
const opaque = (text) => 0xff000000 + parseInt(text.slice(1), 16);

function stepOf(setting) {
  if (setting.kind === "integer") return 1;
  const span = setting.maximum - setting.minimum;
  return 10 ** Math.floor(Math.log10(span / 100));
}

function draw(setting) {
  const id = setting.key.replace(".", "-");
  const box = make("div", { className: "setting", title: setting.summary });
  box.append(make("label", { htmlFor: id, textContent: setting.label }));
  const text = make("span");
  const reset = make("button", { type: "button", textContent: "Reset" });
  reset.setAttribute("aria-label", `Reset ${setting.label}`);
  reset.onclick = () => set({ [setting.key]: setting.initial });
  const value = make("span", { className: "value" }, reset, text);
  const input = inputs[setting.kind](setting);
  input.id = id;
  input.setAttribute("aria-describedby", id + "-help");
  box.append(...(input.type === "range" ? [value, input] : [input]));
  box.append(make("span", { id: id + "-help", hidden: true, textContent: setting.summary }));
  controls.set(setting.key, (now) => {
    if (input.type === "checkbox") input.checked = now;
    else if (document.activeElement !== input || input.type === "range") input.value = setting.kind === "color" ? hex(now) : now;
    text.textContent = typeof now === "number" ? Number(now.toFixed(2)) : "";
    box.classList.toggle("changed", now !== setting.initial);
  });
  return box;
}

const inputs = {
  flag(setting) {
    const input = make("input", { type: "checkbox" });
    input.onchange = () => set({ [setting.key]: input.checked });
    return input;
  },
  color(setting) {
    const input = make("input", { type: "color" });
    input.oninput = () => set({ [setting.key]: opaque(input.value) });
    return input;
  },
  choice(setting) {
    const options = setting.words.map((word, index) =>
      make("option", { value: word, textContent: word, title: setting.meanings[index] }));
    const input = make("select", {}, ...options);
    input.onchange = () => set({ [setting.key]: input.value });
    return input;
  },
  number(setting) {
    const input = make("input", {
      type: "range", min: setting.minimum, max: setting.maximum, step: stepOf(setting),
    });
    input.oninput = () => set({ [setting.key]: Number(input.value) });
    return input;
  },
  integer(setting) { return this.number(setting); },
  text(setting) {
    const input = make("input");
    input.onchange = () => set({ [setting.key]: input.value });
    return input;
  },
};

function drawGroups(groups) {
  for (const group of groups) {
    const drawn = group.settings.map(draw);
    if (group.name === "Background") $("background").append(...drawn);
    else {
      const box = make("details", { open: ["Edges", "Picture"].includes(group.name) }, make("summary", { textContent: group.name }), ...drawn);
      $("groups").append(box);
    }
  }
}

function show() {
  for (const [key, update] of controls) if (key in values) update(values[key]);
  showBackground();
  $("choose").setAttribute("aria-pressed", isChoosing);
}

// --- Background ---

const source = "blendmask.background-source", picture = "blendmask.background", blur = "blendmask.blur";
const kinds = {
  none: { label: "None", set: () => ({ [source]: "original", [blur]: 0 }) },
  blur: { label: "Blur", set: () => ({ [source]: "original", [blur]: values[blur] || 40 }) },
  color: { label: "Colour", set: () => ({ [source]: "color" }) },
  picture: { label: "Picture", set: () => ({ [source]: "auto", [blur]: 0, [picture]: values[picture] || page.backgrounds[0]?.name || "" }) },
};

function kindOfBackground() {
  const effects = values[blur] || values["blendmask.exposure"] || values["blendmask.desaturate"];
  if (values[source] === "color" || (values[source] === "auto" && !values[picture] && !effects)) return "color";
  if (values[source] === "original" || !values[picture]) return values[blur] > 0 ? "blur" : "none";
  return "picture";
}

const usedBy = { "background-color": ["color", "picture"], "background-fit": ["picture"], mirror: ["picture"], blur: ["blur", "picture"], exposure: ["none", "blur", "picture"], desaturate: ["none", "blur", "picture"] };

function showBackground() {
  const kind = kindOfBackground();
  for (const input of $("sources").querySelectorAll("input")) input.checked = input.value === kind;
  $("tiles").hidden = $("adder").hidden = kind !== "picture";
  for (const tile of $("tiles").children) tile.setAttribute("aria-pressed", tile.dataset.name === values[picture]);
  for (const [name, users] of Object.entries(usedBy)) {
    const box = $("blendmask-" + name)?.parentElement;
    const isUnseen = name === "background-color" && kind === "picture" && values["blendmask.background-fit"] !== "contain";
    if (box) box.hidden = isUnseen || !users.includes(kind);
  }
}

function drawTiles() {
  $("tiles").replaceChildren(...page.backgrounds.map(({ name, isClip }) => {
    const tile = make("button", { type: "button", title: name });
    tile.dataset.name = name;
    tile.setAttribute("aria-label", name);
    tile.append(isClip ? "▶ " + name : make("img", { src: "background?name=" + encodeURIComponent(name), alt: "", loading: "lazy" }));
    tile.onclick = () => set({ [source]: "auto", [picture]: name });
    return tile;
  }));
  showBackground();
}

async function upload(file) {
  say(`Reading ${file.name}`);
  const reply = await fetch("backgrounds?name=" + encodeURIComponent(file.name), {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
  });
  if (!reply.ok) return say(await reply.text());
  const { name, backgrounds } = await reply.json();
  page.backgrounds = backgrounds;
  drawTiles();
  say(`Added ${name}`);
  set({ [source]: "auto", [blur]: 0, [picture]: name });
}

function drawSwitch(box, choices, onChoice) {
  box.replaceChildren(...Object.entries(choices).map(([value, label]) => {
    const input = make("input", { type: "radio", name: box.id, value });
    input.onchange = () => onChoice(value);
    return make("label", {}, input, label);
  }));
}

// --- Picture ---

const stream = (name) => `stream?view=${name}`;

function setSource(image, name) {
  if (image.dataset.view === (name ?? "")) return;
  image.dataset.view = name ?? "";
  if (name) image.src = stream(name);
  else image.removeAttribute("src");
}

function showView() {
  const isWipe = view === "wipe", isShown = !document.hidden;
  $("views").querySelector(`[value=${view}]`).checked = true;
  setSource($("picture"), isShown ? (isWipe ? "result" : view) : null);
  setSource($("second"), isShown && isWipe ? (page.views.includes("original") ? "original" : "mask") : null);
  $("second").hidden = $("wipe").hidden = !isWipe;
  $("second").style.clipPath = `inset(0 0 0 ${$("wipe").value}%)`;
}

// Where the picture is in its frame, in pixels.
function pictureBox() {
  const box = $("frame").getBoundingClientRect(), image = $("picture");
  const scale = Math.min(box.width / (image.naturalWidth || 16), box.height / (image.naturalHeight || 9));
  const width = (image.naturalWidth || 16) * scale, height = (image.naturalHeight || 9) * scale;
  return { x: (box.width - width) / 2, y: (box.height - height) / 2, width, height, left: box.left, top: box.top };
}

$("frame").onclick = (event) => {
  if (!isChoosing || event.target.closest("button")) return;
  const box = pictureBox();
  const x = (event.clientX - box.left - box.x) / box.width, y = (event.clientY - box.top - box.y) / box.height;
  if (x < 0 || x > 1 || y < 0 || y > 1) return;
  set({ "personsegment.instances": true, "blendmask.instances": "", "blendmask.instances-at": `${x.toFixed(4)},${y.toFixed(4)}` });
};

const labels = new Map(); // by id: what is clicked on must stay the same element

function labelOf(id) {
  const label = make("button", { type: "button", textContent: `${id}` });
  label.setAttribute("aria-label", `Show only person ${id}`);
  label.onclick = () => set({ "blendmask.instances-at": "", "blendmask.instances": `${id}` });
  $("people").append(label);
  return label;
}

function showPeople(people) {
  const box = pictureBox(), shown = isChoosing ? people : [];
  for (const person of shown) {
    if (!labels.has(person.id)) labels.set(person.id, labelOf(person.id));
    const label = labels.get(person.id);
    label.style.left = `${box.x + (person.x + person.width / 2) * box.width - 14}px`;
    label.style.top = `${box.y + Math.max(0, person.y) * box.height + 6}px`;
  }
  for (const [id, label] of labels) {
    if (shown.some((person) => person.id === id)) continue;
    label.remove();
    labels.delete(id);
  }
}

$("choose").onclick = () => {
  isChoosing = !isChoosing;
  $("frame").classList.toggle("choosing", isChoosing);
  $("choosing").hidden = !isChoosing;
  if (isChoosing) set({ "personsegment.instances": true });
  else if (!values["blendmask.instances"] && !values["blendmask.instances-at"]) set({ "personsegment.instances": false });
  show();
};
$("everybody").onclick = () => set({ "personsegment.instances": isChoosing, "blendmask.instances": "", "blendmask.instances-at": "", "blendmask.instances-except": "" });

// --- State ---

const figures = [
  ["rate", "Frames per second", (x) => x.toFixed(1)],
  ["own", "With their own mask", (x) => Math.round(100 * x) + " %"],
  ["latency", "Latency", (x) => Math.round(x) + " ms"],
  ["age", "Age of the mask", (x) => Math.round(x) + " ms"],
  ["processor", "Processor", (x) => Math.round(100 * x) + " %"],
];

function showStatus(status) {
  for (const [name, , text] of figures) {
    const value = status.figures[name];
    $("figure-" + name).textContent = typeof value === "number" ? text(value) : "–";
  }
  showPeople(status.people);
  $("problem").hidden = !status.problem;
  if (status.problem) $("problem").textContent = `No picture: ${status.problem}. It comes back with the camera.`;
  const warnings = status.warnings.join("\n");
  if ($("warnings").dataset.text !== warnings) {
    $("warnings").dataset.text = warnings;
    $("warnings").replaceChildren(...status.warnings.map((text) => make("li", { textContent: text })));
  }
  showOutput("camera", status.outputs.camera, "Start camera", "Stop camera");
  showOutput("record", status.outputs.recording, "Record", "Stop recording");
  $("record").title = status.outputs.recording ?? "";
  const size = status.mode?.match(/ (\d+)x(\d+) /);
  if (size) $("frame").style.aspectRatio = `${size[1]} / ${size[2]}`;
}

function showOutput(id, isOn, off, on) {
  $(id).setAttribute("aria-pressed", Boolean(isOn));
  $(id).textContent = isOn ? on : off;
}

const toggle = (id, name) => {
  $(id).onclick = () => post("actions", { action: ($(id).getAttribute("aria-pressed") === "true" ? "stop-" : "start-") + name });
};
toggle("camera", "camera");
toggle("record", "recording");

let events = null;

function listen() {
  events?.close();
  events = null;
  if (document.hidden) return;
  events = new EventSource("events");
  events.addEventListener("status", (event) => showStatus(JSON.parse(event.data)));
  events.addEventListener("settings", (event) => {
    if (!isSending) values = JSON.parse(event.data);
    show();
  });
  events.addEventListener("presets", (event) => showPresets(JSON.parse(event.data)));
  events.addEventListener("backgrounds", (event) => { page.backgrounds = JSON.parse(event.data); drawTiles(); });
  events.onerror = () => say("The program does not answer.");
}

// --- Presets and lines ---

function showPresets(names) {
  const chosen = $("preset").value;
  $("preset").replaceChildren(...names.map((name) => make("option", { textContent: name })));
  if (names.includes(chosen)) $("preset").value = chosen;
  for (const id of ["preset", "load", "remove"]) $(id).disabled = names.length === 0;
}

const preset = async (action, name, done) => {
  if (await post("actions", { action, name })) say(done);
};
$("save").onclick = async () => {
  if (!$("name").value) return $("name").focus();
  await preset("save-preset", $("name").value, `Saved. gst-people webcam --preset='${$("name").value}' takes it.`);
};
$("load").onclick = () => preset("load-preset", $("preset").value, "Loaded.");
$("remove").onclick = () => preset("remove-preset", $("preset").value, "Deleted.");

async function copy(kind) {
  const lines = await (await fetch("lines")).json();
  const left = kind === "command" && lines.left.length ? `\n# A preset keeps what has no option: ${lines.left.join(", ")}` : "";
  $("line").textContent = lines[kind] + left;
  $("line").hidden = false;
  await navigator.clipboard.writeText(lines[kind]).then(() => say("Copied."), () => say("Copy it from the box."));
}
for (const button of document.querySelectorAll("[data-line]")) button.onclick = () => copy(button.dataset.line);

// --- Start ---

$("settings").onsubmit = (event) => event.preventDefault();
$("wipe").oninput = showView;
$("file").onchange = () => { if ($("file").files[0]) upload($("file").files[0]); };
document.ondragover = (event) => { event.preventDefault(); document.body.classList.add("dropping"); };
document.ondragleave = () => document.body.classList.remove("dropping");
document.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]);
};
document.onvisibilitychange = () => { showView(); listen(); };

async function start() {
  page = await (await fetch("settings")).json();
  values = page.values;
  const names = { result: "Result", mask: "Mask", original: "Original" };
  const views = Object.fromEntries(page.views.map((name) => [name, names[name]]));
  drawSwitch($("views"), { ...views, wipe: "Compare" }, (name) => { view = name; showView(); });
  drawSwitch($("sources"), Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind.label])), (name) => set(kinds[name].set()));
  $("figures").append(...figures.map(([name, label]) =>
    make("div", {}, make("dt", { textContent: label }), make("dd", { id: "figure-" + name, textContent: "–" }))));
  drawGroups(page.groups);
  drawTiles();
  showPresets(page.presets);
  isChoosing = values["personsegment.instances"];
  show();
  showView();
  showStatus(page.status);
  listen();
  document.body.dataset.ready = "yes";
}
start().catch(() => say("The program does not answer. Start gst-people studio again."));
