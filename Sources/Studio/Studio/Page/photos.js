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
  check("modes", mode);
  if (mode === "live" && !isLive) act("start-live");
  showView();
}

// --- Opening ---
// The one that is shown stays, if it is still there.
function showPhotos(list) {
  page.photos = list;
  if (list.some(({ id }) => id === photo?.id)) drawPhotoList();
  else openPhoto(list[0] ?? null);
}
const drawPhotoList = () => drawOptions("photo-list", page.photos.map(({ id, name }) => [id, name]), photo?.id);
function openPhoto(next) {
  photo = next;
  drawPhotoList();
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
    say(tr("Opening {name}", { name: file.name }));
    const reply = await sendFile("photos", file);
    if (reply.ok) first ??= await reply.json();
  }
  finish();
  if (first && first.id !== photo?.id) openPhoto(first);
}

// --- Finding ---
const searching = { subjects: tr("Looking for what stands out"), people: tr("Looking for people"), bodies: tr("Looking for bodies") };
function progress(text) {
  $("progress").hidden = !text;
  $("progress").lastChild.textContent = text;
}
// After a search, the photo that is shown by then is next. Coarse outlines come first.
const find = newest(async () => {
  if (!photo) return;
  const [sought, { id }] = [content, photo];
  const isShown = () => photo?.id === id && content === sought;
  const search = async (options) => {
    const reply = await ask(sought + "?" + new URLSearchParams({ id, ...options })).catch(() => fail(silent));
    return reply?.ok ? sought === "bodies" ? reply.text() : read(await reply.arrayBuffer()) : null;
  };
  progress(searching[sought]);
  const coarse = sought === "bodies" ? null : await search({ coarse: 1 });
  if (coarse && isShown()) showFound(coarse);
  if (!isShown() || coarse && !coarse.isCoarse) return;
  const result = await search({});
  if (isShown()) refine(coarse, result);
});
// Shows fine outlines instead of coarse ones: who is picked, pointed at or has the focus stays so.
function refine(coarse, fine) {
  const same = (number) => number && coarse && fine ? sameOne(number, coarse, fine) : 0;
  const focused = Number($("parts").querySelector(":focus")?.dataset.number ?? 0);
  const [kept, place] = [[...picked].map(same), same(pointed)];
  showFound(fine, kept);
  point(place);
  if (focused) $("parts").querySelector(`[data-number="${same(focused)}"]`)?.focus();
}
// The number of the one that a number meant before: the one who is at most of the same places.
function sameOne(number, before, now) {
  const counts = new Map();
  for (let y = 0; y < before.height; y++) for (let x = 0; x < before.width; x++) {
    if (before.numbers[y * before.width + x] !== number) continue;
    const [column, row] = [Math.floor((x + 0.5) / before.width * now.width), Math.floor((y + 0.5) / before.height * now.height)];
    const other = now.numbers[row * now.width + column];
    counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
// The length of a JSON object, the object, and bytes of numbers and coverage.
function read(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), size = head.width * head.height;
  return { ...head, numbers: new Uint8Array(buffer, 4 + length, size), coverage: new Uint8Array(buffer, 4 + length + size) };
}
function showFound(result, kept = []) {
  [found, foundScene] = content === "bodies" ? [null, result] : [result, null];
  pointed = 0;
  progress(result?.isCoarse ? searching[content] : "");
  placeSpace();
  $("parts").replaceChildren(...(found?.found ?? []).map(({ number, x, y, width, height }) => {
    const onclick = (event) => { event.stopPropagation(); pick(number, event.shiftKey); };
    const ariaLabel = content === "people" ? tr("Person {id}", { id: number }) : tr("Subject {id}", { id: number });
    const part = button("", onclick, { ariaLabel, onblur: () => point(0) });
    part.onfocus = () => point(part.matches(":focus-visible") ? number : 0);
    part.dataset.number = number;
    Object.assign(part.style, { left: 100 * x + "%", top: 100 * y + "%", width: 100 * width + "%", height: 100 * height + "%" });
    return part;
  }));
  pick(0, false);
  for (const number of new Set(kept)) if (number) pick(number, true);
}
function point(number) {
  if (pointed === number) return;
  pointed = number;
  highlight();
}
function numberAt(event) {
  if (!found) return 0;
  const [x, y] = placeIn($("photo-box"), event);
  return x < 0 || y < 0 || x >= 1 || y >= 1 ? 0 : found.numbers[Math.floor(y * found.height) * found.width + Math.floor(x * found.width)];
}
$("photo-box").onpointermove = (event) => {
  // A finger that moves does not hold.
  if (event.pointerType === "touch") return Math.hypot(event.movementX, event.movementY) > 8 && clearTimeout(holding);
  point(numberAt(event));
  mayDrag(event);
};
$("photo-box").onpointerleave = () => { point(0); clearTimeout(holding); };
$("photo-box").onpointerup = () => clearTimeout(holding);
$("photo-box").onclick = (event) => pick(numberAt(event), event.shiftKey);
let holding = 0; // the timer of a finger that holds
const holdTime = 450; // milliseconds
$("photo-box").onpointerdown = (event) => {
  mayDrag(event);
  if (event.pointerType !== "touch") return;
  const number = numberAt(event);
  holding = setTimeout(() => { pick(number, false); navigator.vibrate?.(10); }, holdTime);
};
$("photo-box").oncontextmenu = (event) => { if (event.pointerType === "touch") event.preventDefault(); };
// What was lifted is dragged, where it is: never the photo.
const mayDrag = (event) => { $("photo-box").draggable = lifted !== null && !lift.isBusy && picked.has(numberAt(event)); };
// Those that are pointed at or picked are drawn once more above the dimmed photo, with a soft outline.
function highlight() {
  const shown = new Set([...picked, pointed].filter((number) => number));
  const isLit = shown.size > 0 && $("photo").naturalWidth > 0;
  $("photo-box").classList.toggle("lit", isLit);
  $("photo-box").classList.toggle("pointing", pointed > 0);
  $("photo-box").classList.toggle("risen", picked.size > 0 && (!pointed || picked.has(pointed)));
  if (!isLit) lightened = "";
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
  runLight(small, [...shown].join());
}
// A light runs once around what is newly lit.
let lightened = "";
function runLight(silhouette, names) {
  if (names === lightened || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  lightened = names;
  const canvas = $("light"), pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [$("glow").width, $("glow").height];
  Object.assign(pen, { shadowColor: "#fff", shadowBlur: 12 * devicePixelRatio });
  const draw = () => pen.drawImage(silhouette, 0, 0, canvas.width, canvas.height);
  for (let times = 0; times < 3; times++) draw();
  Object.assign(pen, { shadowColor: "transparent", globalCompositeOperation: "destination-out" });
  draw();
  const steps = [{ "--turn": "0deg", opacity: 1 }, { "--turn": "330deg", opacity: 1, offset: 0.8 }, { "--turn": "400deg", opacity: 0 }];
  canvas.animate(steps, 1300);
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
// How it is to look, as options of `gst-people lift`: fields of the form that matter for what is behind it.
function options() {
  const { color, place, sticker, ...sizes } = Object.fromEntries(new FormData($("lift-form")));
  const numbers = { ...sizes, [behind.kind === "none" ? "outline" : "halo-width"]: sticker };
  return {
    subjects: content === "subjects", instance: [...picked].sort((a, b) => a - b).join(), "in-place": Boolean(place),
    original: behind.kind === "original", background: behind.name, color: color?.slice(1),
    ...Object.fromEntries(Object.entries(numbers).filter(([, text]) => text !== "0")),
  };
}
// What is lifted, at the newest wish; out of coarse outlines nothing is.
const lift = newest(async () => {
  showBehind();
  $("lifting").classList.add("busy");
  const canLift = picked.size && !found?.isCoarse;
  const reply = canLift ? await post("lift", { id: photo.id, options: options() }).then(json, () => fail(silent)) : null;
  lifted = picked.size && photo ? reply ?? null : null;
  showLifted();
});
const howToLift = tr("Click on what you want to lift. Shift adds another. By keyboard: Tab, then Enter.");
const liftedPath = () => "lifted?" + new URLSearchParams({ id: lifted.id });
function showLifted() {
  $("lifting").classList.remove("busy");
  $("lifting").hidden = $("lift-elsewhere").hidden = !lifted;
  $("lift-hint").hidden = Boolean(lifted);
  showAtHand();
  $("lift-hint").textContent = !photo ? tr("Open a photo, and point at a person or thing in it.")
    : !found || found.isCoarse ? tr("In a moment, a click lifts what is found.")
    : found.found.length ? howToLift + (content === "people" ? "" : " " + tr("“People” lifts them one by one."))
    : content === "people" ? tr("Nobody was found in this photo.") : tr("Nothing stands out in this photo. Try “People”.");
  if (!lifted) return $("lifted").removeAttribute("src");
  $("lifted").src = liftedPath();
  for (const id of ["save-lifted", "save-here"]) Object.assign($(id), { href: liftedPath(), download: lifted.name });
  $("lift-line").textContent = lifted.line;
}
$("lifted").onload = () => {
  const { naturalWidth: width, naturalHeight: height } = $("lifted");
  $("lifted-size").textContent = tr("{width} × {height} pixels", { width, height });
};
async function copyLifted() {
  if (!lifted) return;
  try {
    const file = ask(liftedPath()).then((reply) => reply.blob());
    await navigator.clipboard.write([new ClipboardItem({ "image/png": file })]);
    say(tr("Copied. Paste it where you like."));
  } catch {
    $("save-lifted").click();
    say(tr("This browser copies no pictures: it was saved instead."));
  }
}
$("copy-lifted").onclick = $("copy-here").onclick = copyLifted;
// What belongs to the lifted picture, beside it.
const pickedBoxes = () => found.found.filter(({ number }) => picked.has(number));
function showAtHand() {
  $("at-hand").hidden = !lifted;
  check("stickers", $("sticker").value);
  if (!lifted) return;
  const boxes = pickedBoxes(), left = Math.min(...boxes.map(({ x }) => x)), right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)), middle = Math.min(0.7, Math.max(0.3, (left + right) / 2));
  // Below it, where faces are not.
  const lowest = `100% - ${$("at-hand").offsetHeight + 8}px`;
  Object.assign($("at-hand").style, { left: 100 * middle + "%", top: `min(${100 * bottom}% + 8px, ${lowest})` });
}
$("at-hand").onclick = (event) => event.stopPropagation();
// Clicks and moves there are not for what is below.
$("at-hand").onpointermove = $("at-hand").onpointerdown = (event) => event.stopPropagation();
// Widths of the white line in percent, each a look.
drawSwitch("stickers", { 0: tr("Plain"), 2: tr("Thin line"), 4: tr("Sticker"), 8: tr("Bold") }, (width) => {
  $("sticker").value = width;
  lift();
});
$("copy-line").onclick = () => copyText(lifted.line);
function carry(event) {
  const address = new URL(liftedPath(), location.href);
  // A selection would bring other pictures along.
  event.dataTransfer.setData("text/html", `<img src="${address}">`);
  for (const type of ["text/uri-list", "text/plain"]) event.dataTransfer.setData(type, address);
  event.dataTransfer.setData("DownloadURL", `image/png:${lifted.name}:${address}`);
}
$("lifted").ondragstart = carry;
// It hangs at the pointer where it was taken.
$("photo-box").ondragstart = (event) => {
  if (!["photo-box", "grip"].includes(event.target.id) || !lifted) return;
  carry(event);
  const { width, height } = $("glow"), boxes = pickedBoxes(), canvas = $("carried");
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width)), bottom = Math.max(...boxes.map((box) => box.y + box.height));
  [canvas.width, canvas.height] = [(right - left) * width, (bottom - top) * height];
  canvas.style.width = (right - left) * $("glow").clientWidth + "px";
  canvas.getContext("2d").drawImage($("glow"), -left * width, -top * height);
  const [x, y] = placeIn($("photo-box"), event);
  event.dataTransfer.setDragImage(canvas, (x - left) * $("glow").clientWidth, (y - top) * $("glow").clientHeight);
};
document.addEventListener("keydown", (event) => {
  if (!isPhotos() || event.target.matches("input:not([type=radio])")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "c" && !String(getSelection())) copyLifted();
  if (event.key === "Escape") pick(0, false);
});

// --- What is behind it ---
function drawBehind() {
  if (behind.kind === "picture" && !page.backgrounds.some(({ name }) => name === behind.name)) behind = { kind: "none" };
  const tile = (label, choice, content) => {
    const onclick = () => { behind = choice; lift(); };
    return Object.assign(drawTile("behind-" + choice.kind, label, onclick, content), { choice });
  };
  $("behind").replaceChildren(
    tile(tr("Nothing"), { kind: "none" }), tile(tr("Photo"), { kind: "original" }), tile(tr("Colour"), { kind: "color" }),
    ...page.backgrounds.filter(({ isClip }) => !isClip).map(({ name }) => tile(name, { kind: "picture", name }, drawThumbnail(name))));
  showBehind();
}
function showBehind() {
  for (const tile of $("behind").children) tile.ariaPressed = tile.choice.kind === behind.kind && tile.choice.name === behind.name;
  showIf("place", behind.kind === "none");
  showIf("shadow", behind.kind !== "none");
  showIf("behind-color", behind.kind === "color");
  showIf("behind-blur", behind.kind === "original" || behind.kind === "picture");
}

// --- Start ---
$("lift-form").oninput = lift;
$("photo-list").onchange = () => openPhoto(page.photos[$("photo-list").selectedIndex]);
$("close-photo").onclick = () => act("close-photo", { id: photo.id });
$("photo-file").onchange = () => addPhotos([...$("photo-file").files]);
function startPhotos() {
  drawSwitch("modes", { live: tr("Camera"), photos: tr("Photos") }, showMode);
  drawSwitch("contents", { subjects: tr("Subjects"), people: tr("People"), bodies: tr("In space") }, (name) => {
    content = name;
    showFound(null);
    find();
  });
  check("contents", content);
  drawBehind();
  openPhoto(page.photos[0] ?? null);
  showMode(isLive ? "live" : "photos");
}

// --- Dropping files ---
// A picture that is dragged out of the page is not for the page.
const isForPage = ({ dataTransfer: { types } }) => types.includes("Files") && !types.includes("own");
// What is dragged takes its address along, and those of other pictures hold a key: only what was lifted may go.
document.ondragstart = (event) => {
  if (!["lifted", "photo-box", "grip"].includes(event.target.id) || !lifted) event.preventDefault();
  else event.dataTransfer.setData("own", "yes");
};
document.ondragover = (event) => {
  if (!isForPage(event)) return;
  event.preventDefault();
  document.body.classList.add("dropping");
  const isVideo = [...event.dataTransfer.items].every(({ type }) => type.startsWith("video/"));
  put("drop-photo", isVideo ? tr("Play it instead of the camera") : tr("Lift something out of it"));
  for (const place of $("drop").children) place.classList.toggle("over", place === event.target.closest("#drop > *"));
};
document.ondragleave = (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); };
document.ondrop = async (event) => {
  if (!isForPage(event)) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  const files = [...event.dataTransfer.files];
  const clips = files.filter(({ type }) => type.startsWith("video/"));
  if (event.target.closest("#drop-behind")) {
    for (const file of files) await upload(file);
  } else if (clips.length === files.length) {
    showMode("live");
    await playVideo(clips[0]);
  } else await addPhotos(files.filter((file) => !clips.includes(file)));
};
addEventListener("DOMContentLoaded", () => start().catch(() => fail(silent)));
