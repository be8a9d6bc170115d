"use strict";

// People's bodies in space. A scene is glTF as `gst-people bodies --gltf` writes it: in metres, as a camera at the origin sees it.

let scene = null;    // the one that is drawn
let scenes = null;   // those of the live picture, while they are watched
let chosen = [];     // keys of up to two joints that are measured
const cameraEye = { yaw: 0, pitch: 0, zoom: 1 };
// Angles in radians, and how near: camera, body and picture are seen at once.
const eye = { yaw: 0.6, pitch: 0.25, zoom: 0.4 };
// Of a joint, and of the bone that ends there.
const jointColors = [[/head/, "#ffd43b"], [/left-(elbow|wrist)/, "#ff922b"], [/left-(knee|ankle)/, "#e8590c"], [/right-(elbow|wrist)/, "#74c0fc"], [/right-(knee|ankle)/, "#228be6"], [/./, "#f1f3f5"]];

// --- The scene ---

function readScene(text) {
  const { nodes, scenes: [{ nodes: roots }], cameras: [{ perspective }] } = JSON.parse(text);
  const below = (index, from, parent, person) => {
    const { name, translation, children = [] } = nodes[index], place = from.map((number, axis) => number + translation[axis]);
    const joint = { key: `${person} ${name}`, name: name.replace("-", " "), color: jointColors.find(([pattern]) => pattern.test(name))[1], person, parent, place };
    return [joint, ...children.flatMap((child) => below(child, place, joint, person))];
  };
  const bodies = roots.map((root) => nodes[root]).filter(({ extras }) => extras).map(({ name, translation, children, extras }) => {
    const person = Number(name.split("-")[1]) + 1;
    return { person, height: extras["body-height"], source: extras["height-estimation"], joints: below(children[0], translation, null, person) };
  });
  const joints = bodies.flatMap((body) => body.joints), [sides, heights, depths] = [0, 1, 2].map((axis) => joints.map(({ place }) => place[axis]));
  // Ankles are 3.9 % of the height above the soles; the picture is behind everybody.
  const room = joints.length ? {
    floor: Math.min(...heights) - 0.039 * bodies[0].height, left: Math.floor(Math.min(...sides)) - 1, right: Math.ceil(Math.max(...sides)) + 1,
    depth: -depths.reduce((sum, depth) => sum + depth) / depths.length, far: 0.4 - Math.min(...depths),
  } : { floor: 0, left: 0, right: -1, depth: 2, far: 3 };
  // In a live picture the room stays where it is while the same people move.
  const isSame = scenes && scene?.bodies.length === bodies.length;
  return { text, bodies, joints, slope: Math.tan(perspective.yfov / 2), ratio: perspective.aspectRatio, room: isSame ? scene.room : room };
}

function showScene(text) {
  scene = text && readScene(text);
  keep($("joints"), (scene?.joints ?? []).map(({ key }) => key), (key) => make("button", { type: "button", onclick: () => choose(key) }));
  chosen = chosen.filter((key) => scene && jointOf(key));
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
  const { floor, left, right, far, depth } = scene.room, ends = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => corner(x, y, 0.12 * depth));
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
  showMeasures();
  const plane = $("plane"), canvas = $("bones"), pen = canvas.getContext("2d"), image = $(document.body.dataset.mode === "photos" ? "photo" : "picture");
  for (const item of [plane, canvas]) [item.width, item.height] = [plane.clientWidth * devicePixelRatio, plane.clientHeight * devicePixelRatio];
  if (!scene || !plane.width) return;
  if (image.naturalWidth) plane.getContext("2d").drawImage(image, 0, 0, plane.width, plane.height);
  placePicture();
  pen.scale(devicePixelRatio, devicePixelRatio);
  const line = ([from, to], strokeStyle, lineWidth) => {
    const ends = [onScreen(from), onScreen(to)];
    if (!ends[0] || !ends[1]) return;
    Object.assign(pen, { strokeStyle, lineWidth, lineCap: "round" });
    pen.stroke(new Path2D(`M${ends[0]}L${ends[1]}`));
  };
  const ink = getComputedStyle($("space")).color, bones = scene.joints.filter(({ parent }) => parent);
  for (const ends of roomLines()) line(ends, ink, 1);
  for (const { parent, place } of bones) line([parent.place, place], "#000a", 7);
  for (const { parent, place, color } of bones) line([parent.place, place], color, 4);
  if (chosen.length === 2) line(chosen.map((key) => jointOf(key).place), ink, 2);
  for (const dot of $("joints").children) {
    const joint = jointOf(dot.key), at = onScreen(joint.place), name = named(joint);
    Object.assign(dot, { hidden: !at, title: name, ariaLabel: name, ariaPressed: chosen.includes(dot.key) });
    if (at) Object.assign(dot.style, { left: at[0] + "px", top: at[1] + "px", background: joint.color });
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
const turns = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15], "+": [0, 0, 1.15], "-": [0, 0, 1 / 1.15] };
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
const named = ({ name, person }) => scene.bodies.length > 1 ? `Person ${person}, ${name}` : name.charAt(0).toUpperCase() + name.slice(1);
const distance = (a, b) => Math.hypot(...a.place.map((number, axis) => number - b.place[axis]));

function choose(key) {
  chosen = chosen.length === 2 || chosen.includes(key) ? [key] : [...chosen, key];
  drawSpace();
}

function measure(joint) {
  const { parent } = joint, next = scene.joints.find((other) => other.parent === joint);
  const [a, b, c] = parent && next ? [distance(joint, parent), distance(joint, next), distance(parent, next)] : [];
  const angle = a ? `${(Math.acos((a * a + b * b - c * c) / (2 * a * b)) * 180 / Math.PI).toFixed(0)}° between its bones, ` : "";
  return `${named(joint)}: ${angle}${(joint.place[1] - scene.room.floor).toFixed(2)} m above the floor, ${Math.hypot(...joint.place).toFixed(2)} m from the camera.`;
}

function showMeasures() {
  const heights = (scene?.bodies ?? []).map(({ person, height, source }) => source === "measured" ? `Person ${person} is ${height.toFixed(2)} m tall, as measured with a depth map.`
    : `Sizes are those of people ${height.toFixed(2)} m tall: a picture alone tells none.`);
  const joints = scene ? chosen.map(jointOf) : [], apart = joints.length === 2 ? [`Distance: ${distance(...joints).toFixed(2)} m.`] : [];
  put("measures", [...apart, ...joints.map(measure), ...new Set(heights)].join("\n") || (scene ? "Nobody is seen well enough to be placed in space." : ""));
  $("save-scene").disabled = heights.length === 0;
}

$("as-camera").onclick = () => look(cameraEye);
$("near").oninput = () => look({ ...eye, zoom: Math.exp($("near").value) });
$("pause").onclick = () => { $("pause").ariaPressed = $("pause").ariaPressed !== "true"; };
$("save-scene").onclick = () => {
  const name = document.body.dataset.mode === "photos" ? photo.name.replace(/\.[^.]*$/, "") : "live";
  const link = make("a", { href: URL.createObjectURL(new Blob([scene.text], { type: "model/gltf+json" })), download: name + ".gltf" });
  link.click();
  URL.revokeObjectURL(link.href);
};

const isSpatial = () => document.body.dataset.mode === "photos" ? content === "bodies" && photo !== null : view === "space";

// Space lies over the photo or over the live picture, whichever is shown.
function placeSpace() {
  const isPhotos = document.body.dataset.mode === "photos", isShown = isSpatial();
  document.body.classList.toggle("spatial", isShown);
  $("measure").hidden = !isShown;
  $("pause").hidden = isPhotos;
  $(isPhotos ? "photo-box" : "frame").append($("space"));
  $(isPhotos ? "lift-form" : "settings").prepend($("measure"));
  const isWatched = isShown && !isPhotos && !document.hidden;
  if (isWatched && scenes) return drawSpace();
  scenes?.close();
  scenes = isWatched ? new EventSource(watched("stream", { view: "space" })) : null;
  if (scenes) scenes.onmessage = ({ data }) => { if ($("pause").ariaPressed !== "true") showScene(data + "\n"); };
  $("pause").ariaPressed = false;
  showScene(isPhotos ? foundScene : null);
}
