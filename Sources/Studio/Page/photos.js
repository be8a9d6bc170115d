"use strict";

// Photos: what is pointed at lights up, and a click lifts it.

let photo = null;          // the one that is shown
let content = "subjects";  // or people, or their bodies
let found = null;          // who or what was found in it, and where
let pointed = 0;           // number of the one under the pointer, or with the keyboard's focus
let lifted = null;         // what the program says of the lifted picture
let behind = { kind: "none" };
const picked = new Set();  // numbers of those that are lifted

function showMode(mode) {
  document.body.dataset.mode = mode;
  $("modes").querySelector(`[value=${mode}]`).checked = true;
  if (mode === "live" && !isLive) post("actions", { action: "start-live" });
  showView();
}

// --- Opening ---

function showPhotos(list) {
  page.photos = list;
  const index = list.findIndex(({ id }) => id === photo?.id);
  if (index < 0) return openPhoto(list[0] ?? null);
  showPlace(index);
}

function showPlace(index) {
  const count = page.photos.length;
  $("photo-name").textContent = photo ? photo.name + (count > 1 ? ` (${index + 1} of ${count})` : "") : "";
  $("earlier").hidden = $("later").hidden = count < 2;
  $("earlier").disabled = index <= 0;
  $("later").disabled = index >= count - 1;
}

function step(by) {
  const next = page.photos[page.photos.findIndex(({ id }) => id === photo?.id) + by];
  if (next) openPhoto(next);
}

function openPhoto(next) {
  photo = next;
  showPlace(page.photos.indexOf(next));
  $("no-photo").hidden = Boolean(photo);
  $("photo-box").hidden = $("photo-bar").hidden = !photo;
  showFound(null);
  $("photo").removeAttribute("src");
  if (!photo) return;
  $("photo").src = watched("photo", { id: photo.id });
  $("photo").alt = photo.name;
  find();
}

$("photo").onload = () => {
  $("photo-box").style.setProperty("--ratio", $("photo").naturalWidth / $("photo").naturalHeight);
  highlight();
  drawSpace();
};

async function addPhotos(files) {
  showMode("photos");
  let first = null;
  for (const file of files) {
    progress(`Opening ${file.name}`);
    const reply = await ask("photos?name=" + encodeURIComponent(file.name), { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
    progress("");
    if (!reply.ok) continue;
    const { id, photos } = await reply.json();
    page.photos = photos;
    first ??= photos.find((one) => one.id === id);
  }
  if (first) openPhoto(first);
}

// --- Finding ---

function progress(text) {
  $("progress").hidden = !text;
  $("progress").lastChild.textContent = text;
}

const searching = { subjects: "Looking for what stands out", people: "Looking for people", bodies: "Looking for people, to place them in space" };

// After a search, the photo that is shown by then is next.
const find = newest(async () => {
  if (!photo) return;
  const [sought, { id }] = [content, photo];
  progress(searching[sought]);
  const reply = await ask(sought + "?" + new URLSearchParams({ id })).catch(() => fail(silent));
  const result = reply?.ok ? sought === "bodies" ? await reply.text() : read(await reply.arrayBuffer()) : null;
  if (photo?.id === id && content === sought) showFound(result);
});

// The length of a JSON object, the object, and bytes of numbers and coverage.
function read(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const { found, width, height } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const numbers = new Uint8Array(buffer, 4 + length, width * height);
  return { found, width, height, numbers, coverage: new Uint8Array(buffer, 4 + length + width * height) };
}

const noun = () => content === "people" ? "Person" : "Subject";

function showFound(result) {
  found = content === "bodies" ? null : result;
  pointed = 0;
  progress("");
  placeSpace();
  showScene(content === "bodies" ? result : null);
  $("parts").replaceChildren(...(found?.found ?? []).map(({ number, x, y, width, height }) => {
    const part = make("button", { type: "button", ariaLabel: `${noun()} ${number}` });
    Object.assign(part.style, { left: 100 * x + "%", top: 100 * y + "%", width: 100 * width + "%", height: 100 * height + "%" });
    part.dataset.number = number;
    part.onfocus = () => point(part.matches(":focus-visible") ? number : 0);
    part.onblur = () => point(0);
    part.onclick = (event) => { event.stopPropagation(); pick(number, event.shiftKey); };
    return part;
  }));
  pick(0, false);
}

function point(number) {
  if (pointed === number) return;
  pointed = number;
  highlight();
}

function numberAt(event) {
  if (!found) return 0;
  const box = $("photo-box").getBoundingClientRect();
  const x = Math.floor((event.clientX - box.left) / box.width * found.width), y = Math.floor((event.clientY - box.top) / box.height * found.height);
  return x < 0 || y < 0 || x >= found.width || y >= found.height ? 0 : found.numbers[y * found.width + x];
}

$("photo-box").onpointermove = (event) => { if (event.pointerType !== "touch") point(numberAt(event)); };
$("photo-box").onpointerleave = () => point(0);
$("photo-box").onclick = (event) => pick(numberAt(event), event.shiftKey);

// Those that are pointed at or picked are drawn once more above the dimmed photo, with a soft outline.
function highlight() {
  const shown = new Set([...picked, pointed].filter((number) => number));
  const isLit = shown.size > 0 && $("photo").naturalWidth > 0;
  $("photo-box").classList.toggle("lit", isLit);
  $("photo-box").classList.toggle("pointing", pointed > 0);
  if (!isLit) return;
  const mask = new ImageData(found.width, found.height);
  for (let i = 0; i < found.numbers.length; i++) if (shown.has(found.numbers[i])) mask.data[4 * i + 3] = found.coverage[i];
  const small = new OffscreenCanvas(found.width, found.height);
  small.getContext("2d").putImageData(mask, 0, 0);
  const canvas = $("glow"), box = $("photo-box");
  canvas.width = box.clientWidth * devicePixelRatio;
  canvas.height = box.clientHeight * devicePixelRatio;
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = "source-in";
  context.drawImage($("photo"), 0, 0, canvas.width, canvas.height);
}

// --- Lifting ---

// A press on the background lifts nothing.
function pick(number, adds) {
  if (adds && !number) return;
  const wasPicked = picked.has(number);
  if (!adds) picked.clear();
  if (number && adds && wasPicked) picked.delete(number);
  else if (number) picked.add(number);
  for (const part of $("parts").children) part.ariaPressed = picked.has(Number(part.dataset.number));
  highlight();
  lift();
}

const slider = (id) => Number($(id).value);

// How it is to look, as options of `gst-people lift`.
function options() {
  const subjects = content === "subjects" ? { subjects: true } : {};
  const all = { ...subjects, instance: [...picked].sort((a, b) => a - b).join() };
  if (behind.kind === "none") {
    return { ...all, ...($("place").checked ? { "in-place": true } : {}), ...(slider("sticker") ? { outline: slider("sticker") } : {}) };
  }
  const kinds = { original: { original: true }, color: { color: $("behind-color").value.slice(1) }, picture: { background: behind.name } };
  return {
    ...all, ...kinds[behind.kind],
    ...(behind.kind !== "color" && slider("behind-blur") ? { blur: slider("behind-blur") } : {}),
    ...(slider("shadow") ? { shadow: slider("shadow") } : {}),
    ...(slider("sticker") ? { "halo-width": slider("sticker") } : {}),
  };
}

// What is lifted, at the newest wish.
const lift = newest(async () => {
  showBehind();
  $("lifting").classList.add("busy");
  const reply = picked.size ? await post("lift", { id: photo.id, options: options() }).then(json, () => fail(silent)) : null;
  lifted = picked.size && photo ? reply ?? null : null;
  showLifted();
});

const liftedPath = () => "lifted?" + new URLSearchParams({ id: lifted.id });

function showLifted() {
  $("lifting").classList.remove("busy");
  $("lifting").hidden = $("lift-elsewhere").hidden = !lifted;
  $("lift-hint").hidden = Boolean(lifted);
  $("lift-hint").textContent = !found ? "Open a photo, and point at a person or thing in it."
    : found.found.length ? "Click on what you want to lift. Shift adds another. By keyboard: Tab, then Enter."
    : content === "people" ? "Nobody was found in this photo." : "Nothing stands out in this photo. Try “People”.";
  if (!lifted) return $("lifted").removeAttribute("src");
  $("lifted").src = $("save-lifted").href = liftedPath();
  $("save-lifted").download = lifted.name;
  $("lift-line").textContent = lifted.line;
}

$("lifted").onload = () => { $("lifted-size").textContent = `${$("lifted").naturalWidth} × ${$("lifted").naturalHeight} pixels`; };

async function copyLifted() {
  if (!lifted) return;
  try {
    const file = ask(liftedPath()).then((reply) => reply.blob());
    await navigator.clipboard.write([new ClipboardItem({ "image/png": file })]);
    say("Copied. Paste it where you like.");
  } catch {
    $("save-lifted").click();
    say("This browser copies no pictures: it was saved instead.");
  }
}

$("copy-lifted").onclick = copyLifted;
$("copy-line").onclick = () => copyText(lifted.line);
$("lifted").ondragstart = (event) => event.dataTransfer.setData("DownloadURL", `image/png:${lifted.name}:${new URL(liftedPath(), location.href)}`);

document.addEventListener("keydown", (event) => {
  if (document.body.dataset.mode !== "photos" || event.target.matches("input")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "c" && !String(getSelection())) copyLifted();
  if (event.key === "Escape") pick(0, false);
});

// --- What is behind it ---

function drawBehind() {
  const tile = (text, choice, inside = "") => {
    const onclick = () => { behind = choice; showBehind(); lift(); };
    return make("button", { type: "button", className: text.toLowerCase(), title: text, ariaLabel: text, choice, onclick }, inside || make("span", { textContent: text }));
  };
  $("behind").replaceChildren(
    tile("Nothing", { kind: "none" }), tile("Photo", { kind: "original" }), tile("Colour", { kind: "color" }),
    ...page.backgrounds.filter(({ isClip }) => !isClip).map(({ name }) =>
      tile(name, { kind: "picture", name }, make("img", { src: watched("background", { name }), alt: "", loading: "lazy" }))));
  showBehind();
}

function showBehind() {
  for (const tile of $("behind").children) tile.ariaPressed = tile.choice.kind === behind.kind && tile.choice.name === behind.name;
  const isNone = behind.kind === "none";
  $("place").closest(".setting").hidden = !isNone;
  $("behind-color").closest(".setting").hidden = behind.kind !== "color";
  $("behind-blur").closest(".setting").hidden = isNone || behind.kind === "color";
  $("shadow").closest(".setting").hidden = isNone;
}

// --- Start ---

for (const id of ["place", "sticker", "behind-color", "behind-blur", "shadow"]) $(id).oninput = lift;
$("earlier").onclick = () => step(-1);
$("later").onclick = () => step(1);
$("close-photo").onclick = () => post("actions", { action: "close-photo", id: photo.id });
for (const id of ["photo-file", "more-photos"]) $(id).onchange = () => addPhotos([...$(id).files]);

function startPhotos() {
  drawSwitch($("modes"), { live: "Camera", photos: "Photos" }, showMode);
  drawSwitch($("contents"), { subjects: "Subjects", people: "People", bodies: "In space" }, (name) => { content = name; showFound(null); find(); });
  $("contents").querySelector("[value=subjects]").checked = true;
  drawBehind();
  openPhoto(page.photos[0] ?? null);
  showMode(isLive ? "live" : "photos");
}

// --- Dropping files ---

// A picture that is dragged out of the page is not for the page.
let isOwnDrag = false;
const isForPage = (event) => !isOwnDrag && event.dataTransfer.types.includes("Files");
document.ondragstart = () => { isOwnDrag = true; };
document.ondragend = () => { isOwnDrag = false; };
document.ondragover = (event) => {
  if (!isForPage(event)) return;
  event.preventDefault();
  document.body.classList.add("dropping");
  for (const place of $("drop").children) place.classList.toggle("over", place === event.target.closest("#drop > *"));
};
document.ondragleave = (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); };
document.ondrop = async (event) => {
  if (!isForPage(event)) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  const files = [...event.dataTransfer.files];
  const clips = files.filter(({ type }) => type.startsWith("video/"));
  if (event.target.closest("#drop-behind") || clips.length === files.length) {
    for (const file of files) await upload(file);
  } else await addPhotos(files.filter((file) => !clips.includes(file)));
};
addEventListener("DOMContentLoaded", () => start().catch(() => fail(silent)));
