"use strict";

// --- Words ---
// `words.js` has the translations of the page's own messages, and of what the program says, by their English texts.
const insert = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
const tr = (text, values = {}) => insert(words.page[text] ?? text, values);
const patternOf = (text) =>
  new RegExp("^" + text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.*)") + "$", "s");
const patterns = Object.keys(words.program).filter((text) => text.includes("{")).map((text) => [patternOf(text), text]);
// What the program says is found by its whole text, or by its pattern where it has values; all else stays as it is.
function told(text) {
  if (text in words.program) return words.program[text];
  for (const [pattern, message] of patterns) {
    const found = pattern.exec(text);
    if (found) return insert(words.program[message], found.groups);
  }
  return text;
}
const locale = navigator.languages.find((name) => name.split("-")[0] === language) ?? language;
const number = (value, digits = 0) =>
  value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
function translate(root) {
  const put = (text, set) => {
    const own = text.trim().replace(/\s+/g, " ");
    if (own in words.page) set(words.page[own]);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) put(walker.currentNode.data, (text) => { walker.currentNode.data = text; });
  for (const name of ["aria-label", "placeholder", "title", "alt"]) {
    for (const item of root.querySelectorAll(`[${name}]`)) put(item.getAttribute(name), (text) => item.setAttribute(name, text));
  }
  document.documentElement.lang = language;
}
translate(document.body);

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
// A code that works once comes in the fragment of the address, which browsers do not send. The token for it stays in memory: browsers keep
// addresses, and what pages store. A page that is loaded again has left a code of its own, which works once, for half a minute.
const given = [new URLSearchParams(location.hash.slice(1)).get("code"), sessionStorage.getItem("code")].find((code) => code);
sessionStorage.removeItem("code");
history.replaceState(null, "", location.pathname);
onhashchange = () => location.reload();
let token = "";
// Whether the program has proved that it knows the token, since the connection was lost: another one may have its port now.
let isProven = false;
const digits = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const random = (count) => digits(crypto.getRandomValues(new Uint8Array(count)));
const bytesOf = (text) => new TextEncoder().encode(text);
async function proves(name, secret) {
  const nonce = random(16), hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), hmac, false, ["sign"]);
  const expected = digits(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(nonce))));
  const reply = await fetch("proof?" + new URLSearchParams({ name, nonce })).catch(() => null);
  return Boolean(reply?.ok) && await reply.text() === expected;
}
async function prove() { isProven = token !== "" && await proves("session", token); }
async function exchange(code) {
  if (!await proves(code.slice(0, 8), code.slice(8))) return "";
  const reply = await fetch("session", sent("json", JSON.stringify({ code })));
  return reply.ok ? (await reply.json()).token : "";
}
async function ask(path, options = {}) {
  // Without events nothing tells that the connection is lost.
  if (!isProven || !("events" in wants) && page) await prove();
  if (!isProven) fail(silent);
  if (!isProven) throw new Error(silent);
  try {
    const reply = await fetch(path, { ...options, headers: { ...options.headers, Authorization: "Bearer " + token } });
    if (!reply.ok) fail(await reply.text());
    return reply;
  } catch (error) {
    isProven = false;
    throw error;
  }
}
// What is about to be loaded again opens the page once.
function leave() {
  if (!isProven) return;
  const code = random(20);
  sessionStorage.setItem("code", code);
  fetch("leave", { ...sent("json", JSON.stringify({ code })), keepalive: true, headers: {
    "Content-Type": "application/json", Authorization: "Bearer " + token } });
}
const sent = (type, body) => ({ method: "POST", headers: { "Content-Type": "application/" + type }, body });
const post = (path, body) => ask(path, { ...sent("json", JSON.stringify(body)), keepalive: true });
const act = (action, more = {}) => post("actions", { action, ...more });
// Files are private: the program proves itself again before each.
const sendFile = (path, file) => prove().then(() => ask(`${path}?name=${encodeURIComponent(file.name)}`, sent("octet-stream", file)));
const json = async (reply) => reply.ok ? reply.json() : null;
// Pictures and events have an address only, which holds a secret that is of no use for anything else.
const watched = (path, query = {}) => isProven ? path + "?" + new URLSearchParams({ ...query, key: page.key }) : "";
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
const silent = tr("gst-people studio does not answer. If it has ended, start it again, and open the new address.");
// What went wrong stays until it is closed.
function fail(text) {
  const message = told(text.trim());
  $("fault").hidden = !text;
  $("fault").firstChild.textContent = message.charAt(0).toUpperCase() + message.slice(1);
}
$("fault").lastChild.onclick = () => fail("");
// What is said is seen for five seconds. What can be undone until then is done afterwards, or when the page is closed.
let silence = 0, undoable = null;
function say(text, work = null, undo = null) {
  finish();
  undoable = work;
  $("message").append(text, ...(work ? [button(tr("Undo"), () => { undoable = null; undo(); finish(); })] : []));
  silence = setTimeout(finish, 5000);
}
function finish() {
  clearTimeout(silence);
  undoable?.();
  undoable = null;
  $("message").replaceChildren();
}
onpagehide = finish;
// Browsers close the connection before they hide the page, which then takes the program for gone.
onbeforeunload = () => leave();
// `onRemoval` is called at once, and returns what undoes it.
function removable(item, name, action, onRemoval = () => () => {}) {
  const remove = () => {
    const undo = onRemoval(), end = () => act(action, { name }).then(({ ok }) => { item.hidden = ok; });
    say(tr("{name} is deleted.", { name }), end, () => { item.hidden = false; undo(); });
    item.hidden = true;
  };
  const title = tr("Delete {name}", { name });
  item.append(button("×", remove, { className: "remove", title, ariaLabel: title }));
  return item;
}

// --- Settings ---
const hex = (color) => "#" + (color & 0xffffff).toString(16).padStart(6, "0");
const opaque = (text) => 0xff000000 + parseInt(text.slice(1), 16);
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
  const { key, kind, initial, minimum: min, maximum: max } = setting;
  const [label, title, unit] = [setting.label, setting.summary, setting.unit ?? ""].map(told);
  const type = { flag: "checkbox", color: "color", number: "range", integer: "range" }[kind];
  const id = key.replace(".", "-"), isSlider = type === "range", [low, high] = setting.slider ?? [min, max];
  const step = kind === "integer" ? 1 : 10 ** Math.floor(Math.log10((max - min) / 100));
  const range = isSlider ? { min: Math.max(min, low), max: Math.min(max, high), step } : {};
  const [labels, meanings] = [setting.labels, setting.meanings].map((texts) => texts?.map(told));
  const option = (value, index) => make("option", { value, textContent: labels[index], title: meanings[index] });
  const input = setting.words ? make("select", { id, title }, ...setting.words.map(option)) : make("input", { id, title, type, ...range });
  const read = { checkbox: () => input.checked, color: () => opaque(input.value), range: () => fit(setting, Number(input.value)) };
  input.oninput = () => set({ [key]: read[type]?.() ?? input.value });
  // The number itself, for those who know it.
  const exact = make("input", { type: "number", min, max, step, ariaLabel: tr("{label}, as a number", { label }) });
  const typed = () => Math.min(max, Math.max(min, kind === "integer" ? Math.round(exact.value) : Number(exact.value)));
  exact.onchange = () => set({ [key]: fit(setting, typed()) });
  const reset = button(tr("Reset"), () => set({ [key]: initial }), { ariaLabel: tr("Reset {label}", { label }) });
  const value = make("span", { className: "value" }, reset, ...(isSlider ? [exact, make("span", { className: "unit" }, unit)] : [input]));
  const meaning = make("span", { className: "meaning" });
  const box = make("div", { className: "setting", title }, make("label", { htmlFor: id }, label), value, isSlider ? input : "", meaning);
  controls.set(key, (now) => {
    if (type === "checkbox") input.checked = now;
    else if (document.activeElement !== input || isSlider) input.value = kind === "color" ? hex(now) : now;
    if (isSlider) fill(input);
    if (isSlider && document.activeElement !== exact) exact.value = Number(now.toFixed(2));
    if (setting.words) meaning.textContent = now === "none" ? "" : meanings[setting.words.indexOf(now)] ?? "";
    box.classList.toggle("changed", now !== initial);
  });
  return box;
}
const groupPlaces = {
  Background: "background", Framing: "framing", People: "people-groups", Edges: "look-groups", "Shadow and outline": "look-groups",
};
function drawGroup({ name, settings }) {
  const place = $(groupPlaces[name] ?? "groups");
  const box = ["Background", "Framing"].includes(name) ? place : make("details", {}, make("summary", {}, told(name)));
  box.append(...settings.map(draw));
  if (box !== place) place.append(box);
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
  showFraming();
  $("choose").ariaPressed = isChoosing;
  $("frame").classList.toggle("choosing", chosenList() !== null);
  $("everyone").hidden = !isChosen();
}

// --- Drawers ---
const drawers = { background: tr("Background"), people: tr("People"), look: tr("Look"), more: tr("More") };
let drawer = "";
$("drawers").append(...Object.entries(drawers).map(([value, label]) =>
  button(label, () => openDrawer(drawer === value ? "" : value), { value })));
function openDrawer(name) {
  drawer = name;
  for (const word of $("drawers").children) word.ariaExpanded = word.value === name;
  for (const box of document.querySelectorAll(".drawer")) box.hidden = box.id !== "drawer-" + name;
  $("settings").hidden = !name;
  if (page) showView();
}
openDrawer("");

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
function ownColor() {
  openDrawer("background");
  // The picker opens where the browser allows it; the field is there in any case.
  setTimeout(() => { try { $("blendmask-background-color").showPicker(); } catch { $("blendmask-background-color").focus(); } });
  return { [source]: "color" };
}
// Each tile with its label, what it sets, and whether that is set.
const tiles = {
  none: [tr("Nothing"), () => original(0), () => kind === "none"],
  light: [tr("Light blur"), () => original(lightBlur), () => kind === "blur" && values[blur] <= 50],
  strong: [tr("Strong blur"), () => original(strongBlur), () => kind === "blur" && values[blur] > 50],
  "color-green": colorTile("color-green", tr("Green")),
  "color-blue": colorTile("color-blue", tr("Blue")),
  "color-grey": colorTile("color-grey", tr("Grey")),
  color: [tr("Own colour"), ownColor, () => kind === "color" && !isPose() && !Object.keys(colors).some(isColor)],
  pose: [tr("Head angles"), () => ({ [source]: "pose" }), isPose],
};
function showBackground() {
  const now = isPose() ? "pose" : kind, isFramed = now === "picture" && values["blendmask.background-fit"] === "contain";
  // A setting is shown where it matters with what stands behind the people.
  for (const { key, needs } of page.groups.flatMap(({ settings }) => settings)) {
    if (needs.length) showIf(key.replace(".", "-"), needs.includes(now) || isFramed && needs.includes("framed"));
  }
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
  make("img", { src: watched("background", { name }), alt: "", loading: "lazy", draggable: false, onerror() { this.replaceWith(name); } });
// A blur of the room is not one of the picture; that of a picture stays for the next.
const pictureChanges = (name) => ({ [source]: "auto", [picture]: name, ...(kind === "picture" ? {} : { [blur]: 0 }) });
const change = (changes) => { fade(changes); set(changes); };
function drawTiles() {
  const choices = Object.entries(tiles).map(([choice, [label, changes, isChosen]]) =>
    Object.assign(drawTile(choice, label, () => change(changes())), { isChosen }));
  const pictures = page.backgrounds.map(({ name, isClip, isOwn }) => {
    const tile = drawTile("picture", name, () => change(pictureChanges(name)), drawThumbnail(name));
    tile.isChosen = () => kind === "picture" && values[picture] === name;
    if (isClip) tile.append(make("span", { className: "badge", textContent: "▶" }));
    return isOwn ? removable(make("div", { className: "own" }, tile), name, "remove-background", () => leaveBackground(tile)) : tile;
  });
  const file = make("input", { type: "file", id: "file", accept: "image/*,video/*", onchange: () => upload(file.files[0]) });
  file.ariaLabel = tr("Add a picture or clip");
  $("tiles").replaceChildren(...choices, ...pictures, make("label", { className: "file", id: "adder", title: file.ariaLabel }, "+", file));
  showBackground();
  drawBehind();
}
// The picture with the background before fades into the newest one: what the page has shown, and nothing else.
const fading = [source, picture, blur, color];
function fade(changes) {
  const { width, height } = $("picture"), before = $("before");
  const isOther = fading.some((key) => key in changes && changes[key] !== values[key]);
  if (!isOther || !width || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  Object.assign(before, { width, height });
  before.getContext("2d").drawImage($("picture"), 0, 0);
  // It stays until the program has the new background.
  const steps = [{ opacity: 1 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }];
  before.animate(steps, { duration: 600 }).finished.then(() => { before.width = 0; }, () => {});
}
// A picture that is deleted while it is behind people leaves a blur.
function leaveBackground(tile) {
  const before = Object.fromEntries([source, picture, blur].map((key) => [key, values[key]]));
  if (!tile.isChosen()) return () => {};
  set(original(lightBlur));
  return () => set(before);
}
// Returns the name that a file has got; nothing if it was refused.
async function addBackground(file) {
  say(tr("Reading {name}", { name: file.name }));
  const reply = await sendFile("backgrounds", file);
  if (!reply.ok) return "";
  const { name } = await reply.json();
  say(tr("Added {name}", { name }));
  return name;
}
async function upload(file) {
  const name = await addBackground(file);
  if (!name) return;
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
let devices = { cameras: [], microphones: [] };
const sizesOf = (camera) => devices.cameras.find(({ id }) => id === camera)?.sizes ?? [];
async function listDevices() {
  devices = await ask("devices").then(json) ?? devices;
  const { cameras, microphones, chosen, microphone } = devices;
  const sizes = sizesOf(chosen);
  const silence = microphones.length ? tr("No sound") : tr("No microphone");
  const clips = page.backgrounds.filter(({ isClip }) => isClip).map(({ name }) => [name, tr("Play {name}", { name })]);
  const packaged = devices.hasClip ? [["", tr("Play the packaged clip")]] : [];
  sources = [...cameras.map(({ id, name }) => ["choose-camera", id, told(name)]), ...clips.map((clip) => ["choose-video", ...clip]),
    ...packaged.map((clip) => ["choose-clip", ...clip])];
  const now = sources.findIndex(([action, id]) => action === "choose-camera" && id === chosen);
  const none = { textContent: tr("Source"), hidden: true };
  drawOptions("cameras", sources.map(([, , label], index) => [index, label]), now < 0 ? "" : now, none);
  showMirror();
  drawOptions("sizes", sizes.map((size) => [size, size.replace("x", " × ")]), "", { textContent: tr("Usual size") });
  drawOptions("microphones", microphones.map((name) => [name, name]), microphone, { textContent: silence });
}
let sources = []; // of the picture: the action that chooses each, and its name
const play = (action, name) => act(action, { name }).then(listDevices);
$("cameras").onchange = () => play(...sources[$("cameras").value]);
$("sizes").onchange = () => act("choose-size", { name: $("sizes").value });
$("microphones").onchange = () => play("choose-microphone", $("microphones").value);
async function playVideo(file) {
  const name = await addBackground(file);
  if (name) await play("choose-video", name);
}
$("video-file").onchange = () => playVideo($("video-file").files[0]);
$("play-clip").onclick = () => play("choose-clip", "");
$("to-photos").onclick = () => showMode("photos");

// --- Quality ---
const quality = "personsegment.quality";
const costs = {
  fast: tr("The least work: 3 ms of a processor core for each frame. Hair is a smooth outline."),
  balanced: tr("Hair and fingers, for about 60 ms of a processor core for each frame."),
  accurate: tr("The finest hair, for about half a second of a processor core for each frame."),
};
drawSwitch("qualities", { fast: tr("Fast"), balanced: tr("Fine"), accurate: tr("Finest") }, (level) => set({ [quality]: level }));
let rate = null;        // frames of the last second
let isLate = false;     // whether they are far fewer than the camera's
let size = null;        // of the camera's frames, as 1280x720
let qualityReason = ""; // why the program has chosen a level
function showQuality() {
  const level = values[quality], isSlow = level !== "fast" && values["personsegment.instance-masks"] && rate !== null && rate < 12;
  check("qualities", level);
  const help = isSlow || isLate ? remedy() : null;
  $("faster").hidden = !help;
  if (help) put("faster", help.label);
  put("cost", isSlow ? tr("Choosing people is slow here: {rate} frames/s. “Fast” is smooth.", { rate: number(rate) })
    : [costs[level], qualityReason].join(" "));
  $("cost").classList.toggle("warn", isSlow);
}
// What makes the picture faster: the next level below, or the next smaller size of the camera.
function remedy() {
  if (values[quality] === "accurate") return { label: tr("Switch to “Fine”"), help: () => set({ [quality]: "balanced" }) };
  if (values[quality] === "balanced") return { label: tr("Switch to “Fast”"), help: () => set({ [quality]: "fast" }) };
  const area = (name) => name.split("x").reduce((width, height) => width * height);
  const smaller = sizesOf(devices.chosen).filter((name) => size && area(name) < area(size)), name = smaller[0];
  const label = tr("Make the picture {size}", { size: name?.replace("x", " × ") });
  return name ? { label, help: () => act("choose-size", { name }) } : null;
}
$("faster").onclick = () => remedy()?.help();

// --- Picture ---
// Pictures and events come through one worker for all windows of the browser.
let watcher = null;
function openWatcher() {
  const worker = new SharedWorker("watch.js");
  worker.onerror = () => { watcher = null; lose(); };
  watcher = worker.port;
  watcher.onmessage = ({ data }) => receive(data);
}
const widths = [640, 960, 1280, 1920];
let wants = {}; // the streams that this window shows, each with its width
let heard = 0;  // time of the newest message
const longestSilence = 10000; // milliseconds; the program tells its state four times a second
function watch() {
  if (!page) return;
  if (!("events" in wants)) heard = performance.now();
  const isShown = isProven && !document.hidden;
  const canvases = [$("picture"), $("second")].filter(({ dataset }) => dataset.view);
  const shown = canvases.map(({ dataset: { view, width } }) => [view, Number(width)]);
  wants = isShown ? { events: 0, ...Object.fromEntries(shown), ...(scenes ? { space: widths[0] } : {}) } : {};
  if (!watcher && isShown) openWatcher();
  watcher?.postMessage({ key: page.key, wants });
}
// The worker forgets windows that say nothing. One that says nothing itself has not started, or hears nothing.
setInterval(() => {
  if ("events" in wants && performance.now() - heard > longestSilence) {
    watcher = null;
    lose();
  } else watch();
}, 3000);
async function drawPicture(name, bytes) {
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  for (const canvas of [$("picture"), $("second")]) {
    if (canvas.dataset.view !== name) continue;
    const { width, height } = image;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0);
  }
  image.close();
}
function lose() {
  if (!("events" in wants)) return;
  fail(silent);
  reconnect();
}
async function receive({ name, bytes, text, isLost }) {
  heard = performance.now();
  if (isLost) return lose();
  if (bytes) {
    await drawPicture(name, bytes).catch(() => null);
    return watcher?.postMessage({ shown: name });
  }
  const [, event, data] = /(?:event: (\w+)\n)?data: (.*)/.exec(text);
  if (name in wants) name === "space" ? takeScene(data) : take[event](JSON.parse(data));
}
function setSource(canvas, name) {
  // As sharp as its place on the screen.
  const wanted = $("frame").clientWidth * devicePixelRatio, width = widths.find((width) => width >= wanted) ?? widths.at(-1);
  Object.assign(canvas.dataset, { view: name ?? "", width });
  if (!name) canvas.width = 0;
}
// As in a mirror, people know themselves. Others see them as they are, and so do clips and texts.
let mirrors = null; // as chosen; null before that
const isMirrored = () => mirrors ?? !devices.isClip;
function showMirror() {
  $("self-mirror").checked = isMirrored();
  $("frame").classList.toggle("mirrored", isMirrored());
}
$("self-mirror").onchange = () => {
  mirrors = $("self-mirror").checked;
  showMirror();
};
function showView() {
  const isWipe = view === "wipe", isShown = isProven && !document.hidden && !isPhotos();
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
// Clicks choose whom the picture shows, or whose heads are hidden or kept, or whom the picture follows; null if none of these.
function chosenList() {
  if (isChoosing) return "blendmask.instances";
  if (whose !== "all" && values[heads] !== "keep") return `${heads}-${whose}`;
  return choosesFollowed() ? followed : null;
}
const pointOf = (list) => list.replace(/-of|-except/, "") + "-at";
const chosenIds = (list) => `${values[list]}`.split(",").filter((id) => id && id !== "-1");
const choosingHints = {
  "blendmask.instances": tr("Click on a person, or on numbers, to show only them."),
  "blendmask.heads-of": tr("Click on those whose heads are to be hidden."),
  "blendmask.heads-except": tr("Click on the numbers of those whose heads are to be seen."),
  "autoframe.person-id": tr("Click on the number of the person whom the picture is to follow."),
};
const choices = ["instances", "instances-at", "instances-except"].map((name) => "blendmask." + name);
const isChosen = () => choices.some((key) => values[key]);
// Sets whom a list names. People have ids only where these are of use.
function setPeople(changes) {
  Object.assign(values, changes);
  set({ ...changes, "personsegment.instance-masks": isChoosing || isChosen() || values[heads] !== "keep" || choosesFollowed() });
}
$("frame").onclick = (event) => {
  const list = chosenList();
  if (!list || list.endsWith("except") || list === followed || event.target.closest("button")) return;
  const [x, y] = placeIn($("frame"), event), place = [isMirrored() ? 1 - x : x, y];
  setPeople({ [list]: "", [pointOf(list)]: place.map((part) => part.toFixed(4)).join() });
};
function choosePerson(id) {
  const list = chosenList();
  if (list === followed) return set({ [followed]: id });
  const ids = chosenIds(list), others = ids.filter((other) => other !== `${id}`);
  setPeople({ [pointOf(list)]: "", [list]: (others.length < ids.length ? others : [...ids, id]).join() });
}
function showPeople(people) {
  const list = chosenList(), shown = list ? people : [], ids = chosenIds(list ?? "blendmask.instances");
  const isAbsent = ids.length > 0 && !people.some(({ id }) => ids.includes(`${id}`));
  put("choosing", isAbsent ? tr("Whom you have chosen is not in the picture.") : choosingHints[list] ?? "");
  keep($("people"), shown.map(({ id }) => id), (id) => button(`${id}`, () => choosePerson(id), { ariaLabel: tr("Person {id}", { id }) }));
  for (const label of $("people").children) {
    const { x, y, width } = shown.find(({ id }) => id === label.key);
    label.ariaPressed = ids.includes(`${label.key}`);
    // Those who are beside the part that is shown are at its edge.
    const place = Math.min(0.98, Math.max(0.02, x + width / 2)), middle = isMirrored() ? 1 - place : place;
    Object.assign(label.style, { left: `calc(${100 * middle}% - 14px)`, top: `calc(${100 * Math.max(0, y)}% + 6px)` });
  }
}
$("choose").onclick = () => {
  isChoosing = !isChoosing;
  setPeople({});
};
$("everyone").onclick = () => setPeople(Object.fromEntries(choices.map((key) => [key, ""])));

// --- Framing ---
const following = "camera.follow", followed = "autoframe.person-id";
let isFollowingOne = false; // whether one is followed who was chosen
const choosesFollowed = () => Boolean(values[following]) && isFollowingOne && values["autoframe.framing"] !== "everyone";
function showFraming() {
  isFollowingOne ||= values[followed] >= 0;
  for (const { key } of page.groups.find(({ name }) => name === "Framing").settings) {
    if (key !== following) showIf(key.replace(".", "-"), values[following]);
  }
  check("whom", isFollowingOne ? "one" : "nearest");
  $("whom").hidden = !values[following] || values["autoframe.framing"] === "everyone";
}
drawSwitch("whom", { nearest: tr("The nearest person"), one: tr("One by number") }, (choice) => {
  isFollowingOne = choice === "one";
  setPeople(isFollowingOne ? {} : { [followed]: -1 });
});

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
// Of those whose heads are hidden, without a head that was found.
function showUnseen(people) {
  const named = chosenIds(`${heads}-of`), excepted = chosenIds(`${heads}-except`);
  const isHidden = ({ id }) => !excepted.includes(`${id}`) && (!named.length || named.includes(`${id}`));
  const unseen = values[heads] === "keep" ? [] : people.filter((person) => isHidden(person) && !person.hasHead);
  put("unseen", unseen.length ? tr("Hidden as a whole, because no head is found: {count}. A face that is seen changes that.",
    { count: number(unseen.length) }) : "");
}
const looks = { keep: tr("Shown"), blur: tr("Blurred"), pixelate: tr("Pixelated"), cover: tr("Covered") };
drawSwitch("heads", looks, (choice) => setPeople({ [heads]: choice }));
drawSwitch("whose", { all: tr("Everyone’s"), of: tr("Only some"), except: tr("All but some") }, (choice) => {
  whose = choice;
  set({ [heads + "-of"]: "", [heads + "-at"]: "", [heads + "-except"]: "" });
});

// --- State ---
// What stands in the place of the picture: a title, and what to do.
const states = {
  starting: [tr("Starting"), ""], resting: [tr("Starting"), ""],
  off: [tr("The camera is off"), tr("Its light is out. Other programs and recordings get your background, without you.")],
  missing: [tr("No camera"), tr("Plug one in: it is looked for all the time. Until then:")],
  failed: [tr("No picture"), tr("It is tried again every two seconds. Until then:")],
  lost: [tr("No picture from the camera"), tr("It is looked for. Other programs see your background meanwhile.")],
};
function showState({ state, problem }) {
  const [title, text] = states[state] ?? ["", ""], isEmpty = ["missing", "failed"].includes(state);
  $("problem").hidden = !title;
  $("frame").dataset.state = state;
  const [heading, line] = $("problem").children;
  if (heading.textContent !== title) heading.textContent = title;
  line.textContent = text;
  // The program's own words, for those who look for the cause.
  $("problem").title = told(problem ?? "");
  $("switch-on").hidden = state !== "off";
  $("play-clip").hidden = !isEmpty || !devices.hasClip;
  $("play-video").hidden = $("to-photos").hidden = !isEmpty;
  $("power").hidden = !isLive;
  $("power").ariaPressed = state === "off";
  put("power", state === "off" ? tr("Camera on") : tr("Camera off"));
}
function showRoom(reason) {
  $("lock").classList.toggle("open", reason !== null);
  const text = reason === null ? tr("Nobody sees your room") : tr("Your room is visible");
  const words = $("lock").lastChild;
  if (words.textContent !== text) words.textContent = text;
  $("lock").title = reason === null ? tr("No view, virtual camera or recording shows it sharp.") : told(reason);
}
function showStatus(status) {
  const hadPicture = $("frame").dataset.state === "playing";
  ({ live: isLive, rate, size, slow: isLate } = status);
  qualityReason = told(status.quality ?? "");
  showState(status);
  showRoom(status.room);
  if (!hadPicture && status.state === "playing") listDevices();
  put("summary", ["off", "resting", "missing"].includes(status.state) ? "" : told(status.summary));
  $("summary").classList.toggle("warn", status.slow);
  $("figures").replaceChildren(...status.figures.map(({ label, value, unit, digits }) => {
    const text = value === null ? "–" : number(value, digits) + (unit && " " + unit);
    return make("div", {}, make("dt", {}, told(label)), make("dd", {}, text));
  }));
  showQuality();
  showPeople(status.people);
  showUnseen(status.people);
  keep($("warnings"), status.warnings, (warning) => make("li", { textContent: told(warning) }));
  if (status.ratio) $("frame").style.setProperty("--ratio", status.ratio);
  const { camera, isOffered, recording, recorded: time, texts } = status.outputs;
  $("camera").hidden = isOffered;
  $("camera").ariaPressed = Boolean(camera);
  $("record").ariaPressed = Boolean(recording);
  put("camera", camera ? tr("Stop virtual camera") : tr("Start virtual camera"));
  const clock = `${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}`;
  put("record", recording ? tr("Stop recording {clock}", { clock }) : tr("Record"));
  put("where", texts.map(told).join(" "));
  showRecorded(status.outputs.complete);
}
// The newest recording, as a picture that plays.
function showRecorded(path) {
  const name = path?.split("/").at(-1) ?? "", video = $("recording");
  $("recorded").hidden = !name || !isProven;
  if ($("recorded").hidden || video.dataset.name === name) return;
  video.dataset.name = video.title = name;
  video.src = watched("recording", { name });
}
const playRecording = () => $("recording").paused ? $("recording").play() : $("recording").pause();
$("recording").onclick = playRecording;
$("recording").onkeydown = ({ key }) => key !== "Enter" || playRecording();
$("recording").onplay = () => $("recording").requestFullscreen?.().catch(() => {});
document.onfullscreenchange = () => { if (!document.fullscreenElement) $("recording").pause(); };
$("show-folder").onclick = () => act("show-recording");
const isStarted = (id) => $(id).ariaPressed === "true";
$("record").onclick = () => fail("") ?? act((isStarted("record") ? "stop-" : "start-") + "recording");
$("camera").onclick = async () => {
  fail("");
  if (isStarted("camera")) return act("stop-camera");
  const reply = await act("start-camera");
  await listDevices();
  if (reply.ok || devices.hasVirtualCamera || $("frame").dataset.state === "off") return;
  // One line, and not the parser's words.
  fail("");
  put("installation", devices.installation);
  $("no-loopback").showModal();
  waitForLoopback();
};
// Sees when the line has been run.
async function waitForLoopback() {
  for (; $("no-loopback").open; await new Promise((done) => setTimeout(done, 2000))) {
    await listDevices();
    $("start-installed").hidden = !devices.hasVirtualCamera;
    put("installed", devices.hasVirtualCamera ? "✓ " + tr("It is there.") : tr("Not there yet. This is checked every two seconds."));
  }
}
$("copy-installation").onclick = () => copyText(devices.installation);
$("start-installed").onclick = () => { $("no-loopback").close(); $("camera").click(); };
$("power").onclick = () => act($("power").ariaPressed === "true" ? "camera-on" : "camera-off");
$("switch-on").onclick = () => act("camera-on");
// By the names of the program's events.
const take = {
  status: showStatus, presets: (names) => showPresets(names), photos: (list) => showPhotos(list),
  backgrounds: (list) => { page.backgrounds = list; drawTiles(); listDevices(); },
  settings: (now) => { if (!send.isBusy) ({ values, kind } = now); show(); },
};
// Shows and hears of nothing before the program has proved itself.
const reconnect = newest(async () => {
  isProven = false;
  for (const id of ["picture", "second"]) setSource($(id), null);
  $("recording").removeAttribute("src");
  delete $("recording").dataset.name;
  // Those that come into view later would be asked for with the key.
  for (const image of document.querySelectorAll("img[loading=lazy]")) if (!image.naturalWidth) image.removeAttribute("src");
  placeSpace();
  for (await prove(); !isProven && !document.hidden; await prove()) await new Promise((done) => setTimeout(done, 2000));
  if (!isProven || document.hidden) return;
  fail("");
  drawTiles();
  showView();
});

// --- Presets and lines ---
const preset = (action, name, done) => act(action, { name }).then(({ ok }) => ok && say(done));
function showPresets(names) {
  $("presets").replaceChildren(...names.map((name) => {
    const load = button(name, () => preset("load-preset", name, tr("{name} is set.", { name })));
    return removable(make("span", { className: "chip" }, load), name, "remove-preset");
  }));
}
$("name").onkeydown = ({ key }) => key !== "Enter" || $("save").click();
let isReplacing = false; // whether a taken name may be written over
const askAgain = (isAsked) => {
  isReplacing = isAsked;
  put("save", isAsked ? tr("Replace") : tr("Save"));
};
$("name").oninput = () => askAgain(false);
$("save").onclick = async () => {
  const name = $("name").value.trim(), isTaken = [...$("presets").children].some(({ textContent }) => textContent === name + "×");
  if (!name) return $("name").focus();
  if (isTaken && !isReplacing) {
    askAgain(true);
    return say(tr("There is {name} already. “Replace” writes over it.", { name }));
  }
  const word = name.replaceAll("'", "'\\''");
  await preset("save-preset", name, tr("Saved. Use it with: {line}", { line: `gst-people virtual-camera --preset='${word}'` }));
  $("name").value = "";
  askAgain(false);
};
const copyText = (text) => navigator.clipboard.writeText(text).then(() => say(tr("Copied.")), () => say(tr("Copy it from the box.")));
async function copy(kind) {
  const lines = await json(await ask("lines"));
  if (!lines) return;
  const names = kind === "command" ? lines.left.join(", ") : "";
  const left = names && `\n# ${tr("A preset keeps what has no option: {names}", { names })}`;
  Object.assign($("line"), { textContent: lines[kind] + left, hidden: false });
  await copyText(lines[kind]);
}
for (const item of document.querySelectorAll("[data-line]")) item.onclick = () => copy(item.dataset.line);

// --- Start ---
async function start() {
  // What the page before this one has left may still be on its way.
  for (let tries = 0; given && !token && tries < 10; tries += 1) {
    token = await exchange(given);
    if (!token) await new Promise((done) => setTimeout(done, 200));
  }
  if (!token) return fail(tr("Open the address that gst-people studio has printed last: each opens one window."));
  page = await load();
  // Why not is shown.
  if (!page) return;
  ({ values, kind } = page);
  // The room is seen sharp only if asked for at the start.
  const isShown = page.views.includes("original");
  if (!isShown) delete tiles.none;
  const only = isShown ? { original: tr("Original") } : {};
  const views = { result: tr("Result"), mask: tr("Mask"), ...only, wipe: tr("Compare"), space: tr("In space") };
  drawSwitch("views", views, (name) => {
    view = name;
    if (view === "space") $("settings").scrollTop = 0;
    showView();
  });
  page.groups.forEach(drawGroup);
  drawTiles();
  showPresets(page.presets);
  isChoosing = values["personsegment.instance-masks"] && values[heads] === "keep";
  show();
  showStatus(page.status);
  startPhotos();
  listDevices();
  $("wipe").oninput = showView;
  onresize = () => { showView(); highlight(); };
  document.onvisibilitychange = () => { if (document.hidden) { showView(); isProven = false; } else reconnect(); };
  document.body.dataset.ready = "yes";
}
