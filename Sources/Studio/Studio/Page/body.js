"use strict";

// People's bodies in space. A scene is glTF as `gst-people bodies --gltf` writes it: in metres, as a camera at the origin sees it.
let scene = null;    // the newest one
let scenes = false;  // whether those of the live picture are watched
let chosen = [];     // keys of up to two joints that are measured
const cameraEye = { yaw: 0, pitch: 0, zoom: 1 };
// Angles in radians, and how near: camera, body and picture are seen at once.
const asideEye = { yaw: 0.6, pitch: 0.25, zoom: 0.4 };
const eye = { ...asideEye };
// Of a joint, and of the bone that ends there.
const jointColors = [
  [/head/, "#ffd43b"], [/left-(elbow|wrist)/, "#ff922b"], [/left-(knee|ankle)/, "#e8590c"], [/right-(elbow|wrist)/, "#74c0fc"],
  [/right-(knee|ankle)/, "#228be6"], [/./, "#f1f3f5"],
];

const jointNames = {
  "root": tr("Middle of the hips"), "spine": tr("Spine"), "center-shoulder": tr("Middle of the shoulders"), "center-head": tr("Head"),
  "top-head": tr("Top of the head"), "left-shoulder": tr("Left shoulder"), "left-elbow": tr("Left elbow"), "left-wrist": tr("Left wrist"),
  "right-shoulder": tr("Right shoulder"), "right-elbow": tr("Right elbow"), "right-wrist": tr("Right wrist"), "left-hip": tr("Left hip"),
  "left-knee": tr("Left knee"), "left-ankle": tr("Left ankle"), "right-hip": tr("Right hip"), "right-knee": tr("Right knee"),
  "right-ankle": tr("Right ankle"),
};

// A joint is seen from this confidence on. Bones that lead to others are guesses, and fade; a body with fewer joints is one as a whole.
const seenFrom = 0.5, fewestJoints = 2;
const isBody = ({ joints }) => joints.filter(({ isSeen }) => isSeen).length >= fewestJoints;

// --- The scene ---
function readScene(text) {
  const { nodes, scenes: [{ nodes: roots }], cameras: [{ perspective }] } = JSON.parse(text);
  const below = (index, from, parent, person) => {
    const { name, translation, children = [], extras } = nodes[index], place = from.map((number, axis) => number + translation[axis]);
    const color = jointColors.find(([pattern]) => pattern.test(name))[1];
    const joint = { key: `${person} ${name}`, name: jointNames[name] ?? name, color, person, parent, place, from: place, to: place };
    Object.assign(joint, { isSeen: extras?.confidence >= seenFrom, isGuessed: extras?.confidence < seenFrom });
    return [joint, ...children.flatMap((child) => below(child, place, joint, person))];
  };
  const bodies = roots.map((root) => nodes[root]).filter(({ extras }) => extras).map(({ name, translation, children, extras }) => {
    const person = Number(name.split("-")[1]), joints = below(children[0], translation, null, person);
    return { person, height: extras["body-height"], source: extras["height-estimation"], joints };
  }).filter(isBody);
  const joints = bodies.flatMap((body) => body.joints), room = roomOf(bodies, joints);
  return { text, bodies, joints, room, slope: Math.tan(perspective.yfov / 2), ratio: perspective.aspectRatio };
}
// The floor and what is on it. In a live picture the room stays where it is while the same people move.
function roomOf(bodies, joints) {
  if (scenes && scene?.bodies.length === bodies.length) return scene.room;
  if (!joints.length) return { floor: 0, left: 0, right: -1, depth: 2, far: 3 };
  const [sides, heights, depths] = [0, 1, 2].map((axis) => joints.map(({ place }) => place[axis]));
  // Ankles are 3.9 % of the height above the soles; the picture is behind everybody.
  return {
    floor: Math.min(...heights) - 0.039 * bodies[0].height,
    left: Math.floor(Math.min(...sides)) - 1, right: Math.ceil(Math.max(...sides)) + 1,
    depth: -depths.reduce((sum, depth) => sum + depth) / depths.length, far: 0.4 - Math.min(...depths),
  };
}
function showScene(text, now = performance.now()) {
  const before = scenes && scene ? scene.joints : [];
  scene = text && readScene(text);
  Object.assign(pace, { interval: Math.min(longestInterval, now - pace.came), came: now });
  keep($("joints"), (scene?.joints ?? []).map(({ key }) => key), (key) => button("", () => choose(key)));
  for (const dot of $("joints").children) {
    const joint = dot.joint = jointOf(dot.key);
    joint.from = joint.place = before.find(({ key }) => key === dot.key)?.place ?? joint.to;
    dot.title = dot.ariaLabel = named(joint);
    dot.style.setProperty("--color", joint.color);
    dot.classList.toggle("guessed", joint.isGuessed);
  }
  chosen = chosen.filter((key) => scene && jointOf(key));
  showMeasures();
  if (!scenes || !scene) drawSpace();
}

// --- Following ---
// Bodies are found less often than pictures come. From where it is drawn, each joint moves evenly to where it was found last, and is
// there when the next result is due: every picture has a new pose. To guess ahead instead would overshoot at every turn of an arm.
const pace = { came: 0, interval: 0, drawn: 0, text: "" };
// Milliseconds after which the newest result is shown, however slowly they come.
const longestInterval = 300;
function follow(now) {
  const part = Math.min(1, Math.max(0, (now - pace.came) / (pace.interval || 1)));
  for (const joint of scene?.joints ?? []) joint.place = joint.from.map((start, axis) => start + part * (joint.to[axis] - start));
}
// Draws as often as pictures come, which may be less often than the screen; a result counts from the picture before it.
function animate(now) {
  if (!scenes) return;
  requestAnimationFrame(animate);
  if (isPaused() || now - pace.drawn < 750 / (rate || 30)) return;
  if (pace.text) showScene(pace.text, pace.drawn);
  Object.assign(pace, { drawn: now, text: "" });
  follow(now);
  drawSpace();
}

// --- Seeing ---
// A place seen from the eye, which turns around the middle of the bodies: x to the right, y up, z towards it.
function seen([x, y, z]) {
  const near = z + scene.room.depth, along = Math.cos(eye.yaw) * near - Math.sin(eye.yaw) * x;
  return [Math.cos(eye.yaw) * x + Math.sin(eye.yaw) * near, Math.cos(eye.pitch) * y - Math.sin(eye.pitch) * along,
    Math.sin(eye.pitch) * y + Math.cos(eye.pitch) * along - scene.room.depth / eye.zoom];
}
// Where a place is seen, in pixels; null if it is not before the eye.
function onScreen(place) {
  const [x, y, z] = seen(place), { clientWidth: width, clientHeight: height } = $("plane"), scale = height / 2 / scene.slope / -z;
  return z < -0.05 ? [width / 2 + scale * x, height / 2 - scale * y] : null;
}
const corner = (x, y, depth) => [x * depth * scene.slope * scene.ratio, y * depth * scene.slope, -depth];
// The picture behind the bodies: as large, and as far away, as the camera would see it there.
function placePicture() {
  const { clientWidth: width, clientHeight: height, style } = $("plane"), focal = height / 2 / scene.slope;
  const [origin, right, below] = [[-1, 1], [1, 1], [-1, -1]].map(([x, y]) => seen(corner(x, y, scene.room.far)));
  const column = ([x, y, z]) => [focal * x - width / 2 * z, -focal * y - height / 2 * z, 0, -z];
  const side = (end, length) => column(end.map((number, axis) => (number - origin[axis]) / length));
  style.transform = `matrix3d(${[...side(right, width), ...side(below, height), 0, 0, 1, 0, ...column(origin)]})`;
}
// The camera, and a floor of squares that are a metre wide.
function roomLines() {
  const { floor, left, right, far, depth } = scene.room;
  const ends = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => corner(x, y, 0.12 * depth));
  const lines = ends.flatMap((end, index) => [[[0, 0, 0], end], [end, ends[(index + 1) % 4]]]);
  for (let x = left; x <= right; x++) {
    for (let z = -Math.ceil(far); z <= 0; z++) {
      if (z < 0) lines.push([[x, floor, z], [x, floor, z + 1]]);
      if (x < right) lines.push([[x, floor, z], [x + 1, floor, z]]);
    }
  }
  return lines;
}
function drawSpace() {
  $("space").hidden = !scene || !isSpatial();
  const plane = $("plane"), canvas = $("bones"), pen = canvas.getContext("2d"), image = isPhotos() ? $("photo") : $("picture");
  plane.width = canvas.width = plane.clientWidth * devicePixelRatio;
  plane.height = canvas.height = plane.clientHeight * devicePixelRatio;
  if (!scene || !plane.width) return;
  if (image.naturalWidth ?? image.width) plane.getContext("2d").drawImage(image, 0, 0, plane.width, plane.height);
  placePicture();
  pen.scale(devicePixelRatio, devicePixelRatio);
  const draw = (lines, strokeStyle, lineWidth) => {
    const ends = lines.map((line) => line.map(onScreen)).filter(([from, to]) => from && to);
    Object.assign(pen, { strokeStyle, lineWidth, lineCap: "round" });
    pen.stroke(new Path2D(ends.map(([from, to]) => `M${from}L${to}`).join("")));
  };
  const bones = scene.joints.filter(({ parent }) => parent), ink = getComputedStyle(canvas).color;
  draw(roomLines(), ink, 1);
  draw(bones.filter(({ isGuessed }) => !isGuessed).map(({ parent, place }) => [parent.place, place]), "#000a", 7);
  for (const { parent, place, color, isGuessed } of bones) {
    pen.globalAlpha = isGuessed ? 0.25 : 1;
    draw([[parent.place, place]], color, 4);
  }
  pen.globalAlpha = 1;
  if (chosen.length === 2) draw([chosen.map((key) => jointOf(key).place)], ink, 2);
  for (const dot of $("joints").children) {
    const at = onScreen(dot.joint.place);
    dot.hidden = !at;
    if (at) dot.style.translate = `${at[0]}px ${at[1]}px`;
  }
}

// --- Turning ---
function look({ yaw, pitch, zoom }) {
  Object.assign(eye, { yaw, pitch: Math.min(1.5, Math.max(-1.5, pitch)), zoom: Math.min(10, Math.max(0.1, zoom)) });
  $("near").value = Math.log(eye.zoom);
  drawSpace();
}
// By so many pixels, and so many times nearer.
const turn = (x, y, nearer = 1) => look({ yaw: eye.yaw + x / 150, pitch: eye.pitch + y / 150, zoom: eye.zoom * nearer });
const turns = {
  ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15], "+": [0, 0, 1.15], "-": [0, 0, 1 / 1.15],
};
let way = 0; // pixels that the pointer was dragged: a click on a joint may shake
$("space").onpointerdown = () => { way = 0; };
$("space").onpointermove = (event) => {
  way += event.buttons ? Math.hypot(event.movementX, event.movementY) : 0;
  if (!event.buttons || way < 4) return;
  $("space").setPointerCapture(event.pointerId);
  turn(event.movementX, event.movementY);
};
$("space").onwheel = (event) => { event.preventDefault(); turn(0, 0, Math.exp(-event.deltaY / 700)); };
$("space").onkeydown = ({ key }) => turns[key] ? turn(...turns[key]) : key !== "Home" || look(cameraEye);
// It is neither for the photo nor for the live picture below.
$("space").onclick = (event) => event.stopPropagation();

// --- Measuring ---
const jointOf = (key) => scene.joints.find((joint) => joint.key === key);
const named = ({ name, person }) => scene.bodies.length > 1 ? tr("Person {id}: {joint}", { id: person, joint: name }) : name;
const distance = (a, b) => Math.hypot(...a.to.map((number, axis) => number - b.to[axis]));
function choose(key) {
  chosen = chosen.length === 2 || chosen.includes(key) ? [key] : [...chosen, key];
  showMeasures();
  drawSpace();
}
function measure(joint) {
  const { parent, to: place } = joint, next = scene.joints.find((other) => other.parent === joint);
  const [a, b, c] = parent && next ? [distance(joint, parent), distance(joint, next), distance(parent, next)] : [];
  const angle = a ? number(Math.acos((a * a + b * b - c * c) / (2 * a * b)) * 180 / Math.PI) : "";
  const measured = { joint: named(joint), angle, height: number(place[1] - scene.room.floor, 2), away: number(Math.hypot(...place), 2) };
  return a ? tr("{joint}: {angle}° between its bones, {height} m above the floor, {away} m from the camera.", measured)
    : tr("{joint}: {height} m above the floor, {away} m from the camera.", measured);
}
function showMeasures() {
  const heights = (scene?.bodies ?? []).map(({ person: id, height, source }) => source === "measured"
    ? tr("Person {id} is {height} m tall, as measured with a depth map.", { id, height: number(height, 2) })
    : tr("Sizes are those of people {height} m tall: a picture alone tells none.", { height: number(height, 2) }));
  const joints = chosen.map(jointOf);
  const apart = joints.length === 2 ? [tr("Distance: {length} m.", { length: number(distance(...joints), 2) })] : [];
  const nobody = scene ? tr("Nobody is seen well enough to be placed in space.") : "";
  put("measures", [...apart, ...joints.map(measure), ...new Set(heights)].join("\n") || nobody);
  for (const dot of $("joints").children) dot.ariaPressed = chosen.includes(dot.key);
  $("save-scene").disabled = heights.length === 0;
}
const isPaused = () => $("pause").ariaPressed === "true";
$("as-camera").onclick = () => look(cameraEye);
$("from-aside").onclick = () => {
  chosen = [];
  showMeasures();
  look(asideEye);
};
$("near").oninput = () => look({ ...eye, zoom: Math.exp($("near").value) });
$("pause").onclick = () => { $("pause").ariaPressed = !isPaused(); };
$("save-scene").onclick = () => {
  const name = isPhotos() ? photo.name.replace(/\.[^.]*$/, "") : "live";
  const link = make("a", { href: URL.createObjectURL(new Blob([scene.text], { type: "model/gltf+json" })), download: name + ".gltf" });
  link.click();
  URL.revokeObjectURL(link.href);
};
function takeScene(text) { if (!isPaused()) pace.text = text + "\n"; }
const isSpatial = () => isPhotos() ? content === "bodies" && photo !== null : view === "space";
// Space lies over the photo or over the live picture, whichever is shown.
function placeSpace() {
  const isShown = isSpatial(), isWatched = isShown && isProven && !isPhotos() && !document.hidden;
  document.body.classList.toggle("spatial", isShown);
  $("measure").hidden = !isShown;
  $("pause").hidden = isPhotos();
  $(isPhotos() ? "photo-box" : "frame").append($("space"));
  $(isPhotos() ? "lift-form" : "settings").prepend($("measure"));
  const goesOn = isWatched && scenes;
  scenes = isWatched;
  watch();
  if (goesOn) return drawSpace();
  pace.text = "";
  requestAnimationFrame(animate);
  $("pause").ariaPressed = false;
  showScene(isPhotos() ? foundScene : null);
}
