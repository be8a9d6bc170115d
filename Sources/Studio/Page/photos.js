"use strict";

// Photos: what is pointed at lights up, and a click lifts it.

let photo = null;          // the one that is shown
let content = "subjects";  // or people, or their bodies
let found = null;          // who or what was found in it, and where
let foundScene = null;     // or their bodies in space
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

const photoIndex = () => page.photos.findIndex(({ id }) => id === photo?.id);

function showPhotos(list) {
  page.photos = list;
  if (photoIndex() < 0) openPhoto(list[0] ?? null);
  else showPlace();
}

function showPlace() {
  const count = page.photos.length, index = photoIndex();
  $("photo-name").textContent = photo ? photo.name + (count > 1 ? ` (${index + 1} of ${count})` : "") : "";
  $("earlier").hidden = $("later").hidden = count < 2;
  $("earlier").disabled = index <= 0;
  $("later").disabled = index >= count - 1;
}

function openPhoto(next) {
  photo = next;
  showPlace();
  $("no-photo").hidden = Boolean(photo);
  $("photo-box").hidden = $("photo-bar").hidden = !photo;
  showFound(null);
  $("photo").removeAttribute("src");
  if (!photo) return;
  Object.assign($("photo"), { src: watched("photo", { id: photo.id }), alt: photo.name });
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
    const reply = await sendFile("photos", file);
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

function showFound(result) {
  [found, foundScene] = content === "bodies" ? [null, result] : [result, null];
  pointed = 0;
  progress("");
  placeSpace();
  $("parts").replaceChildren(...(found?.found ?? []).map(({ number, x, y, width, height }) => {
    const part = make("button", {
      type: "button", ariaLabel: `${content === "people" ? "Person" : "Subject"} ${number}`, onblur: () => point(0),
      onfocus: () => point(part.matches(":focus-visible") ? number : 0), onclick: (event) => { event.stopPropagation(); pick(number, event.shiftKey); },
    });
    Object.assign(part.style, { left: 100 * x + "%", top: 100 * y + "%", width: 100 * width + "%", height: 100 * height + "%" });
    part.dataset.number = number;
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
  const canvas = $("glow"), context = canvas.getContext("2d");
  [canvas.width, canvas.height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio];
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
  const all = { subjects: content === "subjects", instance: [...picked].sort((a, b) => a - b).join() };
  const effects = { blur: behind.kind === "color" ? 0 : slider("behind-blur"), shadow: slider("shadow"), "halo-width": slider("sticker") };
  const wanted = {
    none: { "in-place": $("place").checked, outline: slider("sticker") }, original: { original: true, ...effects },
    color: { color: $("behind-color").value.slice(1), ...effects }, picture: { background: behind.name, ...effects },
  };
  return Object.fromEntries(Object.entries({ ...all, ...wanted[behind.kind] }).filter(([, value]) => value));
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
  const tile = (label, choice, content) => Object.assign(drawTile(label.toLowerCase(), label, () => { behind = choice; showBehind(); lift(); }, content), { choice });
  $("behind").replaceChildren(tile("Nothing", { kind: "none" }), tile("Photo", { kind: "original" }), tile("Colour", { kind: "color" }),
    ...page.backgrounds.filter(({ isClip }) => !isClip).map(({ name }) => tile(name, { kind: "picture", name }, drawThumbnail(name))));
  showBehind();
}

function showBehind() {
  for (const tile of $("behind").children) tile.ariaPressed = tile.choice.kind === behind.kind && tile.choice.name === behind.name;
  const users = { place: ["none"], "behind-color": ["color"], "behind-blur": ["original", "picture"], shadow: ["original", "color", "picture"] };
  for (const [id, kinds] of Object.entries(users)) $(id).closest(".setting").hidden = !kinds.includes(behind.kind);
}

// --- Start ---

for (const id of ["place", "sticker", "behind-color", "behind-blur", "shadow"]) $(id).oninput = lift;
$("earlier").onclick = () => openPhoto(page.photos[photoIndex() - 1]);
$("later").onclick = () => openPhoto(page.photos[photoIndex() + 1]);
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
