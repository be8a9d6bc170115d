"use strict";

const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const button = (label, onclick, properties = {}) => make("button", { type: "button", textContent: label, onclick, ...properties });
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
const isPhotos = () => document.body.dataset.mode === "photos";

// --- Talking to the program ---
// The secret comes in the fragment of the address, which browsers send to nobody, and stays in this tab.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
}
const token = sessionStorage.getItem("token") ?? "";
onhashchange = () => location.reload();
async function ask(path, options = {}) {
  const reply = await fetch(path, { ...options, headers: { ...options.headers, Authorization: "Bearer " + token } });
  if (!reply.ok) fail(await reply.text());
  return reply;
}
const sent = (type, body) => ({ method: "POST", headers: { "Content-Type": "application/" + type }, body });
const post = (path, body) => ask(path, { ...sent("json", JSON.stringify(body)), keepalive: true });
const act = (action, more = {}) => post("actions", { action, ...more });
const sendFile = (path, file) => ask(`${path}?name=${encodeURIComponent(file.name)}`, sent("octet-stream", file));
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
  const now = await post("settings", next).then(json, () => fail(silent)) ?? (waiting ? null : await load().catch(() => null));
  ({ values, kind } = { values, kind, ...now });
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
// What is said is seen for five seconds. What can be undone until then is done afterwards, or when the page is closed.
let silence = 0, undoable = null;
function say(text, work = null, undo = null) {
  finish();
  undoable = work;
  $("message").append(text, ...(work ? [button("Undo", () => { undoable = null; undo(); finish(); })] : []));
  silence = setTimeout(finish, 5000);
}
function finish() {
  clearTimeout(silence);
  undoable?.();
  undoable = null;
  $("message").replaceChildren();
}
onpagehide = finish;
function removable(item, name, action) {
  const remove = () => {
    say(`${name} is deleted.`, () => act(action, { name }), () => { item.hidden = false; });
    item.hidden = true;
  };
  item.append(button("×", remove, { className: "remove", title: `Delete ${name}`, ariaLabel: `Delete ${name}` }));
  return item;
}

// --- Settings ---
const hex = (color) => "#" + (color & 0xffffff).toString(16).padStart(6, "0");
const opaque = (text) => 0xff000000 + parseInt(text.slice(1), 16);
// Choices in words that people know.
const words = { cover: "Fill", contain: "Fit", stretch: "Stretch", tile: "Repeat", none: "Off", auto: "Automatic", true: "Yes",
  false: "No" };
// By property: the unit, and how far a slider goes if not as far as the number beside it.
const scales = {
  exposure: ["stops", 3], blur: ["%"], feather: ["%", 4], expand: ["%", 3], "min-area": ["%", 10], "halo-width": ["%", 5],
  "shadow-x": ["%", 15], "shadow-y": ["%", 15], "shadow-radius": ["%", 15],
};
// A slider with two sides is filled from its middle.
function fill(slider) {
  if (!(slider.min < -1)) return;
  const place = (value) => (value - slider.min) / (slider.max - slider.min) * 100 + "%";
  slider.classList.add("two-sided");
  slider.style.setProperty("--from", place(Math.min(0, slider.value)));
  slider.style.setProperty("--to", place(Math.max(0, slider.value)));
}
// Between 0 and the floor of a setting, some of the room would be seen.
const fit = ({ floor = 0 }, value) => value > 0 && value < floor ? (value < floor / 2 ? 0 : floor) : value;
function draw(setting) {
  const { key, label, kind, initial, summary: title, minimum: min, maximum: max } = setting;
  const type = { flag: "checkbox", color: "color", number: "range", integer: "range" }[kind];
  const id = key.replace(".", "-"), isSlider = type === "range", [unit, limit = Infinity] = scales[key.split(".")[1]] ?? [""];
  const step = kind === "integer" ? 1 : 10 ** Math.floor(Math.log10((max - min) / 100));
  const range = isSlider ? { min: Math.max(min, -limit), max: Math.min(max, limit), step } : {};
  const option = (value, index) => make("option", { value, textContent: words[value] ?? value, title: setting.meanings[index] });
  const input = setting.words ? make("select", { id, title }, ...setting.words.map(option)) : make("input", { id, title, type, ...range });
  const read = { checkbox: () => input.checked, color: () => opaque(input.value), range: () => fit(setting, Number(input.value)) };
  input.oninput = () => set({ [key]: read[type]?.() ?? input.value });
  // The number itself, for those who know it.
  const exact = make("input", { type: "number", min, max, step, ariaLabel: `${label}, as a number` });
  const number = () => Math.min(max, Math.max(min, kind === "integer" ? Math.round(exact.value) : Number(exact.value)));
  exact.onchange = () => set({ [key]: fit(setting, number()) });
  const reset = button("Reset", () => set({ [key]: initial }), { ariaLabel: `Reset ${label}` });
  const value = make("span", { className: "value" }, reset, ...(isSlider ? [exact, make("span", { className: "unit" }, unit)] : [input]));
  const meaning = make("span", { className: "meaning" });
  const box = make("div", { className: "setting", title }, make("label", { htmlFor: id }, label), value, isSlider ? input : "", meaning);
  controls.set(key, (now) => {
    if (type === "checkbox") input.checked = now;
    else if (document.activeElement !== input || isSlider) input.value = kind === "color" ? hex(now) : now;
    if (isSlider) fill(input);
    if (isSlider && document.activeElement !== exact) exact.value = Number(now.toFixed(2));
    if (setting.words) meaning.textContent = now === "none" ? "" : setting.meanings[setting.words.indexOf(now)] ?? "";
    box.classList.toggle("changed", now !== initial);
  });
  return box;
}
function drawGroup({ name, settings }) {
  const box = name === "Background" ? $("background") : $("groups").appendChild(make("details", {}, make("summary", {}, name)));
  box.append(...settings.map(draw));
}
// A choice of one among several, in `box`.
function drawSwitch(id, choices, onChoice) {
  $(id).replaceChildren(...Object.entries(choices).map(([value, label]) =>
    make("label", {}, make("input", { type: "radio", name: id, value, onchange: () => onChoice(value) }), label)));
}
const check = (id, value) => { for (const input of $(id).querySelectorAll("input")) input.checked = input.value === value; };
// Shows a setting, and reads it, only where it matters.
const showIf = (id, isUsed) => { if ($(id)) $(id).disabled = $(id).closest(".setting").hidden = !isUsed; };
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
const [source, picture, blur, color] = ["background-source", "background", "blur", "background-color"].map((name) => "blendmask." + name);
const original = (strength) => ({ [source]: "original", [blur]: strength });
// Light: little of the room can be made out.
const lightBlur = 30, strongBlur = 75;
const colors = { "color-green": 0xff00b140, "color-blue": 0xff0047bb, "color-grey": 0xff6b7280 };
// A colour may follow the head's angles.
const isPose = () => values[source] === "pose";
const isColor = (choice) => kind === "color" && !isPose() && values[color] === colors[choice];
const colorTile = (choice, label) => [label, () => ({ [source]: "color", [color]: colors[choice] }), () => isColor(choice)];
// Each tile with its label, what it sets, and whether that is set.
const tiles = {
  none: ["Nothing", () => original(0), () => kind === "none"],
  light: ["Light blur", () => original(lightBlur), () => kind === "blur" && values[blur] <= 50],
  strong: ["Strong blur", () => original(strongBlur), () => kind === "blur" && values[blur] > 50],
  "color-green": colorTile("color-green", "Green"),
  "color-blue": colorTile("color-blue", "Blue"),
  "color-grey": colorTile("color-grey", "Grey"),
  color: ["Own colour", () => ({ [source]: "color" }), () => kind === "color" && !isPose() && !Object.keys(colors).some(isColor)],
  pose: ["Head angles", () => ({ [source]: "pose" }), isPose],
};
// What stands behind the people where a property matters.
const usedBy = {
  "pose-angle": ["pose"], "background-fit": ["picture"], mirror: ["picture"], blur: ["blur", "picture"],
  exposure: ["none", "blur", "picture"], desaturate: ["none", "blur", "picture"],
};
function showBackground() {
  const now = isPose() ? "pose" : kind, isFramed = now === "picture" && values["blendmask.background-fit"] === "contain";
  for (const [name, kinds] of Object.entries(usedBy)) showIf("blendmask-" + name, kinds.includes(now));
  showIf("blendmask-background-color", now === "color" || isFramed);
  for (const input of $("blendmask-blur").closest(".setting").querySelectorAll("input")) input.min = now === "blur" ? page.minimumBlur : 0;
  for (const tile of $("tiles").querySelectorAll("button[aria-pressed]")) tile.ariaPressed = tile.isChosen();
}
function drawTile(choice, label, onclick, content = make("span", { textContent: label })) {
  const tile = button("", onclick, { title: label, className: choice, ariaLabel: label, ariaPressed: false });
  tile.append(content);
  tile.dataset.choice = choice;
  tile.style.background = choice in colors ? hex(colors[choice]) : "";
  return tile;
}
const drawThumbnail = (name) =>
  make("img", { src: watched("background", { name }), alt: "", loading: "lazy", onerror() { this.replaceWith(name); } });
// A blur of the room is not one of the picture; that of a picture stays for the next.
const pictureChanges = (name) => ({ [source]: "auto", [picture]: name, ...(kind === "picture" ? {} : { [blur]: 0 }) });
function drawTiles() {
  const choices = Object.entries(tiles).map(([choice, [label, changes, isChosen]]) =>
    Object.assign(drawTile(choice, label, () => set(changes())), { isChosen }));
  const pictures = page.backgrounds.map(({ name, isClip, isOwn }) => {
    const tile = drawTile("picture", name, () => set(pictureChanges(name)), drawThumbnail(name));
    tile.isChosen = () => kind === "picture" && values[picture] === name;
    if (isClip) tile.append(make("span", { className: "badge", textContent: "▶" }));
    return isOwn ? removable(make("div", { className: "own" }, tile), name, "remove-background") : tile;
  });
  const file = make("input", { type: "file", id: "file", accept: "image/*,video/*", onchange: () => upload(file.files[0]) });
  file.ariaLabel = "Add a picture or clip";
  $("tiles").replaceChildren(...choices, ...pictures, make("label", { className: "file", id: "adder", title: file.ariaLabel }, "+", file));
  showBackground();
  drawBehind();
}
async function upload(file) {
  say(`Reading ${file.name}`);
  const reply = await sendFile("backgrounds", file);
  if (!reply.ok) return;
  const { name } = await reply.json();
  say(`Added ${name}`);
  if (!isPhotos()) return set(pictureChanges(name));
  behind = { kind: "picture", name };
  lift();
}

// --- Camera and microphone ---
function drawOptions(id, options, chosen, ...first) {
  $(id).replaceChildren(...first.map((properties) => make("option", { value: "", ...properties })),
    ...options.map(([value, label]) => make("option", { value }, label)));
  $(id).value = chosen ?? "";
}
async function listDevices() {
  const { cameras, microphones, chosen, microphone } = await ask("devices").then(json) ?? { cameras: [], microphones: [] };
  const sizes = cameras.find(({ id }) => id === chosen)?.sizes ?? [];
  const silence = microphones.length ? "No sound" : "No microphone here: recordings have no sound";
  drawOptions("cameras", cameras.map(({ id, name }) => [id, name]), chosen, { textContent: "Other source", hidden: true });
  drawOptions("sizes", sizes.map((size) => [size, size.replace("x", " × ")]), "", { textContent: "Usual size" });
  drawOptions("microphones", microphones.map((name) => [name, name]), microphone, { textContent: silence });
}
for (const [id, action] of [["cameras", "choose-camera"], ["sizes", "choose-size"], ["microphones", "choose-microphone"]]) {
  $(id).onchange = () => act(action, { name: $(id).value }).then(id === "sizes" ? null : listDevices);
}

// --- Quality ---
const quality = "personsegment.quality";
const costs = {
  fast: "The least work: 3 ms of a processor core for each frame. Hair is a smooth outline.",
  balanced: "Hair and fingers, for about 60 ms of a processor core for each frame.",
  accurate: "The finest hair, for more than half a second of a processor core for each frame: a few frames a second.",
};
drawSwitch("qualities", { fast: "Fast", balanced: "Fine", accurate: "Finest" }, (level) => set({ [quality]: level }));
let rate = null; // frames of the last second
function showQuality() {
  const level = values[quality], isSlow = level !== "fast" && values["personsegment.instances"] && rate !== null && rate < 12;
  check("qualities", level);
  put("cost", isSlow ? `Choosing people is slow here: ${rate.toFixed(0)} frames/s. “Fast” is smooth.` : costs[level] ?? "");
  $("cost").classList.toggle("warn", isSlow);
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
  const isWipe = view === "wipe", isShown = !document.hidden && !isPhotos();
  check("views", view);
  setSource($("picture"), isShown ? (isWipe || view === "space" ? "result" : view) : null);
  setSource($("second"), isShown && isWipe ? (page.views.includes("original") ? "original" : "mask") : null);
  $("second").hidden = $("wipe").hidden = !isWipe;
  $("frame").style.setProperty("--wipe", $("wipe").value + "%");
  placeSpace();
}
// The place of a click or pointer in a box, as fractions.
function placeIn(box, event) {
  const { left, top, width, height } = box.getBoundingClientRect();
  return [(event.clientX - left) / width, (event.clientY - top) / height];
}
// Clicks choose whom the picture shows, or else whose heads are hidden or kept; null if neither.
const chosenList = () => isChoosing ? "blendmask.instances" : whose !== "all" && values[heads] !== "keep" ? `${heads}-${whose}` : null;
const pointOf = (list) => list.replace(/-of|-except/, "") + "-at";
const chosenIds = (list) => values[list].split(",").filter((id) => id);
const choosingHints = {
  "blendmask.instances": "Click on a person, or on numbers, to show only them.",
  "blendmask.heads-of": "Click on those whose heads are to be hidden.",
  "blendmask.heads-except": "Click on the numbers of those whose heads are to be seen.",
};
const choices = ["instances", "instances-at", "instances-except"].map((name) => "blendmask." + name);
const isChosen = () => choices.some((key) => values[key]);
// Sets whom a list names. People have ids only where these are of use.
function setPeople(changes) {
  Object.assign(values, changes);
  set({ ...changes, "personsegment.instances": isChoosing || isChosen() || values[heads] !== "keep" });
}
$("frame").onclick = (event) => {
  const list = chosenList();
  if (!list || list.endsWith("except") || event.target.closest("button")) return;
  setPeople({ [list]: "", [pointOf(list)]: placeIn($("frame"), event).map((part) => part.toFixed(4)).join() });
};
function choosePerson(id) {
  const list = chosenList(), ids = chosenIds(list), others = ids.filter((other) => other !== `${id}`);
  setPeople({ [pointOf(list)]: "", [list]: (others.length < ids.length ? others : [...ids, id]).join() });
}
function showPeople(people) {
  const list = chosenList(), shown = list ? people : [], ids = chosenIds(list ?? "blendmask.instances");
  const isAbsent = ids.length > 0 && !people.some(({ id }) => ids.includes(`${id}`));
  put("choosing", isAbsent ? "Whom you have chosen is not in the picture." : choosingHints[list] ?? "");
  keep($("people"), shown.map(({ id }) => id), (id) => button(`${id}`, () => choosePerson(id), { ariaLabel: `Person ${id}` }));
  for (const label of $("people").children) {
    const { x, y, width } = shown.find(({ id }) => id === label.key);
    label.ariaPressed = ids.includes(`${label.key}`);
    Object.assign(label.style, { left: `calc(${100 * (x + width / 2)}% - 14px)`, top: `calc(${100 * Math.max(0, y)}% + 6px)` });
  }
}
$("choose").onclick = () => {
  isChoosing = !isChoosing;
  setPeople({});
};
$("everyone").onclick = () => setPeople(Object.fromEntries(choices.map((key) => [key, ""])));

// --- Heads ---
const heads = "blendmask.heads";
let whose = "all";
// Where a head is not found, all of the person is hidden.
function showHeads() {
  whose = ["of", "except"].find((name) => values[`${heads}-${name}`]) ?? (values[heads + "-at"] ? "of" : whose);
  check("heads", values[heads]);
  check("whose", whose);
  $("whose").hidden = values[heads] === "keep";
}
const looks = { keep: "Shown", blur: "Blurred", pixelate: "Pixelated", cover: "Covered" };
drawSwitch("heads", looks, (choice) => setPeople({ [heads]: choice }));
drawSwitch("whose", { all: "Everyone’s", of: "Only some", except: "All but some" }, (choice) => {
  whose = choice;
  set({ [heads + "-of"]: "", [heads + "-at"]: "", [heads + "-except"]: "" });
});

// --- State ---
function showStatus(status) {
  ({ live: isLive, rate } = status);
  put("summary", status.summary);
  $("state").classList.toggle("warn", status.slow);
  $("figures").replaceChildren(...status.figures.map(({ label, text }) => make("div", {}, make("dt", {}, label), make("dd", {}, text))));
  showQuality();
  showPeople(status.people);
  $("problem").hidden = !status.problem;
  put("problem", status.problem ? `No picture: ${status.problem}\nIt is tried again every two seconds.` : "");
  keep($("warnings"), status.warnings, (textContent) => make("li", { textContent }));
  if (status.ratio) $("frame").style.setProperty("--ratio", status.ratio);
  const { camera, recording, recorded: time, text } = status.outputs;
  $("camera").ariaPressed = Boolean(camera);
  $("record").ariaPressed = Boolean(recording);
  put("camera", camera ? "Stop virtual camera" : "Start virtual camera");
  put("record", recording ? `Stop recording ${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}` : "Record");
  put("where", text);
}
for (const [id, name] of [["camera", "camera"], ["record", "recording"]]) {
  $(id).onclick = () => fail("") ?? act(($(id).ariaPressed === "true" ? "stop-" : "start-") + name);
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
const preset = (action, name, done) => act(action, { name }).then(({ ok }) => ok && say(done));
function showPresets(names) {
  $("presets").replaceChildren(...names.map((name) => {
    const load = button(name, () => preset("load-preset", name, `${name} is set.`));
    return removable(make("span", { className: "chip" }, load), name, "remove-preset");
  }));
}
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
for (const item of document.querySelectorAll("[data-line]")) item.onclick = () => copy(item.dataset.line);

// --- Start ---
async function start() {
  page = await load();
  // Why not is shown.
  if (!page) return;
  ({ values, kind } = page);
  // The room is seen sharp only if asked for at the start.
  const isShown = page.views.includes("original");
  if (!isShown) delete tiles.none;
  const views = { result: "Result", mask: "Mask", ...(isShown ? { original: "Original" } : {}), wipe: "Compare", space: "In space" };
  drawSwitch("views", views, (name) => {
    view = name;
    if (view === "space") scrollTo(0, 0);
    showView();
  });
  page.groups.forEach(drawGroup);
  drawTiles();
  showPresets(page.presets);
  isChoosing = values["personsegment.instances"] && values[heads] === "keep";
  show();
  showStatus(page.status);
  startPhotos();
  listDevices();
  listen();
  $("wipe").oninput = showView;
  onresize = () => { showView(); highlight(); };
  document.onvisibilitychange = () => { showView(); listen(); };
  document.body.dataset.ready = "yes";
}
