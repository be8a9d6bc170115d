"use strict";

const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// What is unchanged stays as it is: texts are read out when they change, and what is clicked on or focused must stay the same element.
const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function keep(box, keys, drawItem) {
  for (const item of [...box.children]) if (!keys.includes(item.key)) item.remove();
  for (const key of keys) if (![...box.children].some((item) => item.key === key)) box.append(Object.assign(drawItem(key), { key }));
}

let values = {};        // by "element.property"
let page = null;        // what /settings says
let kind = "color";     // what stands behind the people, as the program says
let view = "result";
let isLive = true;      // whether a camera or video is played
let isChoosing = false;
const controls = new Map(); // by key: shows a value

// --- Talking to the program ---

// The secret comes in the fragment of the address, which browsers send to nobody, and stays in this tab.
const token = (() => {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token") ?? "";
})();
onhashchange = () => location.reload();

async function ask(path, options = {}) {
  const reply = await fetch(path, { ...options, headers: { ...options.headers, Authorization: "Bearer " + token } });
  if (!reply.ok) fail(await reply.text());
  return reply;
}

const post = (path, body) => ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive: true });
const sendFile = (path, body) => ask(path + "?name=" + encodeURIComponent(body.name), { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });
const json = async (reply) => reply.ok ? reply.json() : null;
// Pictures and events have an address only, which holds a secret that is of no use for anything else.
const watched = (path, query = {}) => path + "?" + new URLSearchParams({ ...query, key: page.key });

// Does some work; wishes that come meanwhile are met together by doing it once more.
function newest(work) {
  const run = async () => {
    run.isWanted = true;
    if (run.isBusy) return;
    for (run.isBusy = true; run.isWanted; await work()) run.isWanted = false;
    run.isBusy = false;
  };
  return run;
}

let waiting = null; // what is to be set

function set(changes) {
  Object.assign(values, changes);
  waiting = { ...waiting, ...changes };
  show();
  send();
}

const send = newest(async () => {
  const next = waiting;
  waiting = null;
  // What was refused is not shown.
  const reply = await post("settings", next).then(json, () => fail(silent)), now = reply ?? (waiting ? null : await load().catch(() => null)) ?? {};
  kind = now.kind ?? kind;
  values = now.values ?? values;
  show();
});

const load = async () => json(await ask("settings"));
const silent = "gst-people studio does not answer. If it has ended, start it again, and open the new address.";

// What went wrong stays until it is closed.
function fail(text) {
  $("fault").hidden = !text;
  $("fault").firstChild.textContent = text.charAt(0).toUpperCase() + text.trim().slice(1);
}
$("fault").lastChild.onclick = () => fail("");

let silence = 0;

function say(text, ...more) {
  $("message").replaceChildren(text, ...more);
  clearTimeout(silence);
  silence = setTimeout(() => { $("message").replaceChildren(); }, 5000);
}

// --- Settings ---

const hex = (color) => "#" + (color & 0xffffff).toString(16).padStart(6, "0");
const opaque = (text) => 0xff000000 + parseInt(text.slice(1), 16);

// In words people know: names of choices, units, and ranges of sliders that are of use; the number beside one takes more.
const words = { cover: "Fill", contain: "Fit", stretch: "Stretch", tile: "Repeat", none: "Off", auto: "Automatic", true: "Yes", false: "No" };
const units = { exposure: "stops", blur: "%", feather: "%", expand: "%", "min-area": "%", "shadow-x": "%", "shadow-y": "%", "shadow-radius": "%", "halo-width": "%" };
const useful = { exposure: 3, expand: 3, feather: 4, "shadow-x": 15, "shadow-y": 15, "shadow-radius": 15, "halo-width": 5, "min-area": 10 };

function rangeOf({ key, minimum, maximum }) {
  const limit = useful[key.split(".")[1]] ?? Infinity;
  return { min: Math.max(minimum, -limit), max: Math.min(maximum, limit) };
}

// A slider with two sides is filled from its middle.
function fill(slider) {
  if (!(slider.min < -1)) return;
  const place = (value) => (value - slider.min) / (slider.max - slider.min) * 100 + "%";
  slider.classList.add("two-sided");
  slider.style.setProperty("--from", place(Math.min(0, slider.value)));
  slider.style.setProperty("--to", place(Math.max(0, slider.value)));
}

const stepOf = ({ kind, minimum, maximum }) => kind === "integer" ? 1 : 10 ** Math.floor(Math.log10((maximum - minimum) / 100));

function draw(setting) {
  const id = setting.key.replace(".", "-");
  const box = make("div", { className: "setting", title: setting.summary });
  box.append(make("label", { htmlFor: id, textContent: setting.label }));
  const reset = make("button", { type: "button", textContent: "Reset", ariaLabel: `Reset ${setting.label}`, onclick: () => set({ [setting.key]: setting.initial }) });
  const input = drawInput(setting), isSlider = input.type === "range";
  const exact = isSlider ? drawExact(setting) : "";
  const help = make("span", { id: id + "-help", className: "meaning", hidden: !setting.words, textContent: setting.summary });
  input.id = id;
  input.setAttribute("aria-describedby", help.id);
  const unit = isSlider ? make("span", { className: "unit", textContent: units[setting.key.split(".")[1]] ?? "" }) : "";
  box.append(make("span", { className: "value" }, reset, isSlider ? exact : input, unit), isSlider ? input : "", help);
  controls.set(setting.key, (now) => {
    if (input.type === "checkbox") input.checked = now;
    else if (document.activeElement !== input || isSlider) input.value = setting.kind === "color" ? hex(now) : now;
    if (isSlider) fill(input);
    if (isSlider && document.activeElement !== exact) exact.value = Number(now.toFixed(2));
    if (setting.words) help.textContent = now === "none" ? "" : setting.meanings[setting.words.indexOf(now)] ?? "";
    box.classList.toggle("changed", now !== setting.initial);
  });
  return box;
}

// The number itself, for those who know it.
function drawExact(setting) {
  const { key, label, kind, minimum: min, maximum: max } = setting, step = stepOf(setting);
  const number = () => Math.min(max, Math.max(min, kind === "integer" ? Math.round(exact.value) : Number(exact.value)));
  const exact = make("input", { type: "number", min, max, step, ariaLabel: `${label}, as a number`, onchange: () => set({ [key]: fit(setting, number()) }) });
  return exact;
}

// Between 0 and the floor of a setting, some of the room would be seen.
const fit = ({ floor = 0 }, value) => value > 0 && value < floor ? (value < floor / 2 ? 0 : floor) : value;

// For each kind of setting: what its input is, and how its value is read.
const inputs = {
  flag: [() => ({ type: "checkbox" }), (input) => input.checked],
  color: [() => ({ type: "color" }), (input) => opaque(input.value)],
  number: [(setting) => ({ type: "range", ...rangeOf(setting), step: stepOf(setting) }), (input, setting) => fit(setting, Number(input.value))],
  choice: [() => ({}), (input) => input.value],
};
inputs.integer = inputs.number;

function drawInput(setting) {
  const [properties, read] = inputs[setting.kind];
  const options = (setting.words ?? []).map((word, index) => make("option", { value: word, textContent: words[word] ?? word, title: setting.meanings[index] }));
  const input = make(setting.words ? "select" : "input", properties(setting), ...options);
  input.oninput = () => set({ [setting.key]: read(input, setting) });
  return input;
}

function drawGroups(groups) {
  for (const group of groups) {
    const drawn = group.settings.map(draw);
    if (group.name === "Background") $("background").append(...drawn);
    else $("groups").append(make("details", {}, make("summary", { textContent: group.name }), ...drawn));
  }
}

function show() {
  for (const [key, update] of controls) if (key in values) update(values[key]);
  showBackground();
  showQuality();
  showHeads();
  $("choose").ariaPressed = isChoosing;
  $("frame").classList.toggle("choosing", chosenList() !== null);
  $("everyone").hidden = !isChosen();
}

// --- Background ---

const source = "blendmask.background-source", picture = "blendmask.background", blur = "blendmask.blur";
const original = (strength) => ({ [source]: "original", [blur]: strength });
// Light: little of the room can be made out.
const lightBlur = 30, strongBlur = 75;
const colors = { "color-green": 0xff00b140, "color-blue": 0xff0047bb, "color-grey": 0xff6b7280 };
const isColor = (choice) => kind === "color" && values[source] !== "pose" && values["blendmask.background-color"] === colors[choice];
const colorTile = (choice, label) => [label, () => ({ [source]: "color", "blendmask.background-color": colors[choice] }), () => isColor(choice)];

// Each tile with its label, what it sets, and whether that is set.
const tiles = {
  none: ["Nothing", () => original(0), () => kind === "none"],
  light: ["Light blur", () => original(lightBlur), () => kind === "blur" && values[blur] <= 50],
  strong: ["Strong blur", () => original(strongBlur), () => kind === "blur" && values[blur] > 50],
  "color-green": colorTile("color-green", "Green"), "color-blue": colorTile("color-blue", "Blue"), "color-grey": colorTile("color-grey", "Grey"),
  color: ["Own colour", () => ({ [source]: "color" }), () => kind === "color" && values[source] !== "pose" && !Object.keys(colors).some(isColor)],
  pose: ["Head angles", () => ({ [source]: "pose" }), () => values[source] === "pose"],
};

const usedBy = { "background-color": ["color", "picture"], "pose-angle": ["color"], "background-fit": ["picture"], mirror: ["picture"], blur: ["blur", "picture"], exposure: ["none", "blur", "picture"], desaturate: ["none", "blur", "picture"] };

function showBackground() {
  for (const input of $("blendmask-blur")?.closest(".setting").querySelectorAll("input") ?? []) input.min = kind === "blur" ? page.minimumBlur : 0;
  for (const tile of $("tiles").querySelectorAll("button[aria-pressed]")) tile.ariaPressed = tile.isChosen();
  for (const [name, users] of Object.entries(usedBy)) {
    const box = $("blendmask-" + name)?.closest(".setting"), isPose = values[source] === "pose";
    const isUnseen = name === "pose-angle" ? !isPose : name === "background-color" && (isPose || kind === "picture" && values["blendmask.background-fit"] !== "contain");
    if (box) box.hidden = isUnseen || !users.includes(kind);
  }
}

function drawTile(choice, label, onclick, content = make("span", { textContent: label })) {
  const tile = make("button", { type: "button", title: label, className: choice, ariaLabel: label, ariaPressed: false, onclick }, content);
  tile.dataset.choice = choice;
  tile.style.background = choice in colors ? hex(colors[choice]) : "";
  return tile;
}

function drawThumbnail(name) {
  const image = make("img", { src: watched("background", { name }), alt: "", loading: "lazy", onerror: () => image.replaceWith(name) });
  return image;
}

// A blur of the room is not one of the picture; that of a picture stays for the next.
const pictureChanges = (name) => ({ [source]: "auto", [picture]: name, ...(kind === "picture" ? {} : { [blur]: 0 }) });

function drawTiles() {
  const pictures = page.backgrounds.map(({ name, isClip, isOwn }) => {
    const tile = drawTile("picture", name, () => set(pictureChanges(name)), drawThumbnail(name));
    tile.isChosen = () => kind === "picture" && values[picture] === name;
    if (isClip) tile.append(make("span", { className: "badge", textContent: "▶" }));
    return isOwn ? removable(make("div", { className: "own" }, tile), name, "remove-background") : tile;
  });
  const file = make("input", { type: "file", id: "file", accept: "image/*,video/*", onchange: () => upload(file.files[0]) });
  $("tiles").replaceChildren(
    ...Object.entries(tiles).map(([choice, [label, changes, isChosen]]) => Object.assign(drawTile(choice, label, () => set(changes())), { isChosen })),
    ...pictures, make("label", { className: "file", id: "adder", title: "Add a picture or clip" }, "+", make("span", { className: "unseen", textContent: "Add a picture or clip" }), file));
  showBackground();
  drawBehind();
}

async function upload(file) {
  say(`Reading ${file.name}`);
  const reply = await sendFile("backgrounds", file);
  if (!reply.ok) return;
  const { name, backgrounds } = await reply.json();
  page.backgrounds = backgrounds;
  drawTiles();
  say(`Added ${name}`);
  if (document.body.dataset.mode !== "photos") return set(pictureChanges(name));
  behind = { kind: "picture", name };
  lift();
}

// --- Camera and microphone ---

function drawOptions(list, options, value, first) {
  list.replaceChildren(make("option", { value: "", ...first }), ...options.map(([value, textContent]) => make("option", { value, textContent })));
  list.value = value ?? "";
}

async function listDevices() {
  const { cameras, microphones, chosen, microphone } = await ask("devices").then(json) ?? { cameras: [], microphones: [] };
  const sizes = cameras.find(({ id }) => id === chosen)?.sizes ?? [];
  for (const [id, list] of [["cameras", cameras], ["sizes", sizes]]) $(id).hidden = list.length === 0;
  drawOptions($("cameras"), cameras.map(({ id, name }) => [id, name]), chosen, { textContent: "Other source", hidden: true });
  drawOptions($("sizes"), sizes.map((size) => [size, size.replace("x", " × ")]), "", { textContent: "Usual size" });
  drawOptions($("microphones"), microphones.map((name) => [name, name]), microphone, { textContent: microphones.length ? "No sound" : "No microphone here: recordings have no sound" });
}

for (const [id, action] of [["cameras", "choose-camera"], ["sizes", "choose-size"], ["microphones", "choose-microphone"]]) {
  $(id).onchange = () => post("actions", { action, name: $(id).value }).then(id === "sizes" ? null : listDevices);
}

// --- Quality ---

const quality = "personsegment.quality";
const levels = {
  fast: ["Fast", "The least work: 3 ms of a processor core for each frame. Hair is a smooth outline."],
  balanced: ["Fine", "Hair and fingers, for about 60 ms of a processor core for each frame."],
  accurate: ["Finest", "The finest hair, for more than half a second of a processor core for each frame: a few frames a second."],
};

let rate = null; // frames of the last second

function showQuality() {
  const level = values[quality];
  for (const input of $("qualities").querySelectorAll("input")) input.checked = input.value === level;
  const isSlow = level !== "fast" && values["personsegment.instances"] && rate !== null && rate < 12;
  put("cost", isSlow ? `Choosing people makes “${levels[level][0]}” slow here: ${rate.toFixed(0)} frames/s. “Fast” is smooth.` : levels[level]?.[1] ?? "");
  $("cost").classList.toggle("warn", isSlow);
}

function drawSwitch(box, choices, onChoice) {
  box.replaceChildren(...Object.entries(choices).map(([value, label]) =>
    make("label", {}, make("input", { type: "radio", name: box.id, value, onchange: () => onChoice(value) }), label)));
}

// --- Picture ---

const widths = [640, 960, 1280, 1920];

function setSource(image, name) {
  // As sharp as its place on the screen.
  const wanted = $("frame").clientWidth * devicePixelRatio, width = widths.find((width) => width >= wanted) ?? widths.at(-1);
  if (image.dataset.view === (name ?? "") && image.dataset.width === `${width}`) return;
  Object.assign(image.dataset, { view: name ?? "", width });
  if (name) image.src = watched("stream", { view: name, width });
  else image.removeAttribute("src");
}

function showView() {
  const isWipe = view === "wipe", isShown = !document.hidden && document.body.dataset.mode !== "photos";
  $("views").querySelector(`[value=${view}]`).checked = true;
  setSource($("picture"), isShown ? (isWipe || view === "space" ? "result" : view) : null);
  setSource($("second"), isShown && isWipe ? (page.views.includes("original") ? "original" : "mask") : null);
  $("second").hidden = $("wipe").hidden = !isWipe;
  $("frame").style.setProperty("--wipe", $("wipe").value + "%");
  placeSpace();
}

// Clicks choose whom the picture shows, or else whose heads are hidden or kept; null if neither.
const chosenList = () => isChoosing ? "blendmask.instances" : whose !== "all" && values[heads] !== "keep" ? `blendmask.heads-${whose}` : null;
const pointOf = (list) => list.replace(/-of|-except/, "") + "-at";
const chosenIds = (list) => values[list].split(",").filter((id) => id);

$("frame").onclick = (event) => {
  const list = chosenList(), box = $("frame").getBoundingClientRect();
  if (!list || list.endsWith("except") || event.target.closest("button")) return;
  const place = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  set({ "personsegment.instances": true, [list]: "", [pointOf(list)]: place.map((part) => part.toFixed(4)).join() });
};

function choosePerson(id) {
  const list = chosenList(), ids = chosenIds(list), others = ids.filter((other) => other !== `${id}`);
  set({ [pointOf(list)]: "", [list]: (others.length < ids.length ? others : [...ids, id]).join() });
}

const isChosen = () => ["instances", "instances-at", "instances-except"].some((name) => values["blendmask." + name]);

function showPeople(people) {
  const list = chosenList(), shown = list ? people : [], ids = chosenIds(list ?? "blendmask.instances");
  const isAbsent = ids.length > 0 && !people.some(({ id }) => ids.includes(`${id}`));
  put("choosing", isAbsent ? "Whom you have chosen is not in the picture." : choosingHints[list] ?? "");
  keep($("people"), shown.map(({ id }) => id), (id) => make("button", { type: "button", textContent: `${id}`, ariaLabel: `Person ${id}`, onclick: () => choosePerson(id) }));
  for (const label of $("people").children) {
    const { x, y, width } = shown.find(({ id }) => id === label.key);
    label.ariaPressed = ids.includes(`${label.key}`);
    Object.assign(label.style, { left: `calc(${100 * (x + width / 2)}% - 14px)`, top: `calc(${100 * Math.max(0, y)}% + 6px)` });
  }
}

$("choose").onclick = () => {
  isChoosing = !isChoosing;
  if (isChoosing) set({ "personsegment.instances": true });
  else if (!isChosen() && values[heads] === "keep") set({ "personsegment.instances": false });
  show();
};
$("everyone").onclick = () => set({ "personsegment.instances": isChoosing || values[heads] !== "keep", "blendmask.instances": "", "blendmask.instances-at": "", "blendmask.instances-except": "" });

// --- Heads ---

const heads = "blendmask.heads";
let whose = "all";

// Where a head is not found, all of the person is hidden.
function showHeads() {
  const listed = ["of", "except"].find((name) => values[`${heads}-${name}`]) ?? (values[heads + "-at"] ? "of" : null);
  whose = listed ?? whose;
  for (const [id, value] of [["heads", values[heads]], ["whose", whose]]) $(id).querySelector(`[value=${value}]`).checked = true;
  $("whose").hidden = values[heads] === "keep";
}

const choosingHints = {
  "blendmask.instances": "Click on a person, or on numbers, to show only them.", "blendmask.heads-of": "Click on those whose heads are to be hidden.",
  "blendmask.heads-except": "Click on the numbers of those whose heads are to be seen.",
};

function drawHeads() {
  drawSwitch($("heads"), { keep: "Shown", blur: "Blurred", pixelate: "Pixelated", cover: "Covered" }, (choice) => set({ [heads]: choice, "personsegment.instances": choice !== "keep" || isChoosing || isChosen() }));
  drawSwitch($("whose"), { all: "Everyone’s", of: "Only some", except: "All but some" }, (choice) => {
    whose = choice;
    set({ [heads + "-of"]: "", [heads + "-at"]: "", [heads + "-except"]: "" });
  });
}

// --- State ---

const figures = [
  ["rate", "Frames per second", (x) => x.toFixed(1)],
  ["own", "Frames with a fresh outline", (x) => Math.round(100 * x) + " %"],
  ["latency", "Delay", (x) => Math.round(x) + " ms"],
  ["age", "Age of the outline", (x) => Math.round(x) + " ms"],
  ["processor", "Processor", (x) => Math.round(100 * x) + " %"],
];

// Below the first share of the camera's own rate a picture is not quite smooth, below the second it is slow.
function showState({ figures, mode, problem }) {
  const wanted = Number(mode?.match(/at ([\d.]+) frames/)?.[1] ?? 25);
  rate = figures.rate ?? null;
  const word = rate === null ? "" : rate > 0.85 * wanted ? "Smooth" : rate > 0.5 * wanted ? "Not quite smooth" : "Slow";
  put("summary", problem ? "No picture" : rate === null ? "Starting" : `${word}, ${rate.toFixed(0)} frames/s`);
  $("state").classList.toggle("warn", word === "Slow");
}

function showStatus(status) {
  isLive = status.live;
  for (const [name, , text] of figures) {
    const value = status.figures[name];
    $("figure-" + name).textContent = typeof value === "number" ? text(value) : "–";
  }
  showState(status);
  showQuality();
  showPeople(status.people);
  $("problem").hidden = !status.problem;
  if (status.problem) $("problem").textContent = `No picture: ${status.problem}\nIt is tried again every two seconds.`;
  keep($("warnings"), status.warnings, (textContent) => make("li", { textContent }));
  showOutputs(status.outputs);
  const size = status.mode?.match(/ (\d+)x(\d+) /);
  if (size) $("frame").style.setProperty("--ratio", size[1] / size[2]);
}

let recorded = "";

const seenBy = (camera) => camera.includes("PipeWire") ? "Firefox, Chromium, OBS and GNOME's programs show cameras of PipeWire; Zoom and Teams do not."
  : "All programs that use cameras show it; those that are open already, after a new start.";

function showOutputs({ camera, recording, sound, recorded: time }) {
  $("camera").ariaPressed = Boolean(camera);
  $("record").ariaPressed = Boolean(recording);
  put("camera", camera ? "Stop virtual camera" : "Start virtual camera");
  put("record", recording ? `Stop recording ${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}` : "Record");
  recorded = recording ?? recorded;
  put("where", (camera ? `Other programs see this picture: choose the camera ${camera} there. ${seenBy(camera)}`
    : "Only this page shows the picture. For calls, start the virtual camera.")
    + (recording ? ` Recording into ${recording}, ${sound ? `with the sound of ${sound}` : "without sound"}.` : recorded ? ` Recorded: ${recorded}.` : ""));
}

for (const [id, name] of [["camera", "camera"], ["record", "recording"]]) {
  $(id).onclick = () => fail("") ?? post("actions", { action: ($(id).ariaPressed === "true" ? "stop-" : "start-") + name });
}

let events = null;

function listen() {
  events?.close();
  events = null;
  if (document.hidden) return;
  events = new EventSource(watched("events"));
  const shows = {
    status: showStatus, presets: showPresets, photos: showPhotos, backgrounds: (list) => { page.backgrounds = list; drawTiles(); },
    settings: (now) => { if (!send.isBusy) ({ values, kind } = now); show(); },
  };
  for (const [name, show] of Object.entries(shows)) events.addEventListener(name, ({ data }) => show(JSON.parse(data)));
  events.onerror = () => fail(silent);
  events.onopen = () => fail("");
}

// --- Presets and lines ---

// Deletes something after a while in which it can be undone.
const deletions = new Set();

function later(item, text, remove) {
  const finish = () => { clearTimeout(timer); deletions.delete(finish); remove(); };
  const timer = setTimeout(finish, undoTime);
  deletions.add(finish);
  item.hidden = true;
  say(text, make("button", { type: "button", textContent: "Undo", onclick: () => { clearTimeout(timer); deletions.delete(finish); item.hidden = false; say(""); } }));
}
const undoTime = 5000;

function removable(item, name, action) {
  const onclick = () => later(item, `${name} is deleted.`, () => post("actions", { action, name })), label = `Delete ${name}`;
  item.append(make("button", { type: "button", className: "remove", textContent: "×", title: label, ariaLabel: label, onclick }));
  return item;
}
onpagehide = () => deletions.forEach((finish) => finish());

function showPresets(names) {
  $("presets").replaceChildren(...names.map((name) => {
    const load = make("button", { type: "button", textContent: name, onclick: () => preset("load-preset", name, `${name} is set.`) });
    return removable(make("span", { className: "chip" }, load), name, "remove-preset");
  }));
}

const preset = async (action, name, done) => {
  if ((await post("actions", { action, name })).ok) say(done);
};
$("save").onclick = async () => {
  const name = $("name").value;
  if (!name) return $("name").focus();
  await preset("save-preset", name, `Saved. Use it with: gst-people virtual-camera --preset='${name}'`);
  $("name").value = "";
};

const copyText = (text) => navigator.clipboard.writeText(text).then(() => say("Copied."), () => say("Copy it from the box."));

async function copy(kind) {
  const lines = await json(await ask("lines"));
  if (!lines) return;
  const left = kind === "command" && lines.left.length ? `\n# A preset keeps what has no option: ${lines.left.join(", ")}` : "";
  Object.assign($("line"), { textContent: lines[kind] + left, hidden: false });
  await copyText(lines[kind]);
}
for (const button of document.querySelectorAll("[data-line]")) button.onclick = () => copy(button.dataset.line);

// --- Start ---

$("settings").onsubmit = (event) => event.preventDefault();
$("wipe").oninput = showView;
onresize = () => { showView(); highlight(); };
document.onvisibilitychange = () => { showView(); listen(); };

async function start() {
  page = await load();
  // Why not is shown.
  if (!page) return;
  ({ values, kind } = page);
  const original = page.views.includes("original") ? { original: "Original" } : {};
  drawSwitch($("views"), { result: "Result", mask: "Mask", ...original, wipe: "Compare", space: "In space" }, (name) => { view = name; if (view === "space") scrollTo(0, 0); showView(); });
  drawHeads();
  // The room is seen sharp only if asked for at the start.
  if (!page.views.includes("original")) delete tiles.none;
  drawSwitch($("qualities"), Object.fromEntries(Object.entries(levels).map(([level, [name]]) => [level, name])), (level) => set({ [quality]: level }));
  $("figures").append(...figures.map(([name, label]) =>
    make("div", {}, make("dt", { textContent: label }), make("dd", { id: "figure-" + name, textContent: "–" }))));
  drawGroups(page.groups);
  drawTiles();
  showPresets(page.presets);
  isChoosing = values["personsegment.instances"] && values[heads] === "keep";
  show();
  showStatus(page.status);
  startPhotos();
  listDevices();
  listen();
  document.body.dataset.ready = "yes";
}
