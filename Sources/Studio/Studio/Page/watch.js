"use strict";

// The live pictures and the events for all windows of a browser, which opens six connections to one server at most: each comes once.
// A window says what it wants, again every few seconds; one that falls silent is forgotten.
const windows = new Set();
const streams = new Map();  // by address: what stops it
const [silence, pause] = [15000, 5000]; // milliseconds

onconnect = ({ ports: [port] }) => {
  // What was sent and is not shown yet: a picture that comes meanwhile is skipped.
  const own = { port, key: "", wants: {}, unshown: new Set(), heard: 0 };
  port.onmessage = ({ data: { wants, key, shown } }) => {
    own.heard = performance.now();
    own.unshown.delete(shown);
    if (!wants) return;
    windows.add(own);
    Object.assign(own, { key, wants });
    update();
  };
};
setInterval(() => {
  for (const own of windows) if (performance.now() - own.heard > silence) windows.delete(own);
  update();
}, pause);

// Opens what is wanted, each view in the largest width that a window has, and closes the others.
function update() {
  const wanted = new Map();
  for (const { key, wants } of windows) {
    for (const [name, width] of Object.entries(wants)) {
      const known = wanted.get(key + name);
      if (!known || known.width < width) wanted.set(key + name, { key, name, width });
    }
  }
  const addresses = new Map([...wanted.values()].map((stream) => [addressOf(stream), stream]));
  for (const [address, stop] of streams) {
    if (addresses.has(address)) continue;
    stop.abort();
    streams.delete(address);
  }
  for (const [address, stream] of addresses) if (!streams.has(address)) follow(address, stream);
}
const addressOf = ({ key, name: view, width }) =>
  view === "events" ? "events?" + new URLSearchParams({ key }) : "stream?" + new URLSearchParams({ view, width, key });

async function follow(address, { key, name }) {
  const stop = new AbortController();
  streams.set(address, stop);
  try {
    const reply = await fetch(address, { signal: stop.signal });
    const isPicture = reply.headers.get("Content-Type").startsWith("multipart");
    if (reply.ok) await (isPicture ? readPictures : readEvents)(reply.body.getReader(), (what) => give(key, name, what));
  } catch {
    // It is told below.
  }
  if (stop.signal.aborted) return;
  streams.delete(address);
  // Which program answers at this address next is for the windows to find out.
  for (const own of windows) if (own.key === key && name in own.wants) lose(own);
  update();
}
function lose(own) {
  own.wants = {};
  own.port.postMessage({ isLost: true });
}
function give(key, name, { text, picture }) {
  for (const own of windows) {
    if (own.key !== key || !(name in own.wants) || own.unshown.has(name)) continue;
    const bytes = picture?.slice();
    if (picture) own.unshown.add(name);
    own.port.postMessage({ name, text, bytes }, bytes ? [bytes.buffer] : []);
  }
}

// Messages of an event stream: lines that end with an empty one.
async function readEvents(reader, take) {
  const decoder = new TextDecoder();
  let waiting = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const texts = (waiting + decoder.decode(part.value, { stream: true })).split("\n\n");
    waiting = texts.pop();
    for (const text of texts) take({ text });
  }
}
// Parts of a stream of pictures: a head with the length, an empty line, and the picture.
async function readPictures(reader, take) {
  let bytes = new Uint8Array();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const joined = new Uint8Array(bytes.length + part.value.length);
    joined.set(bytes);
    joined.set(part.value, bytes.length);
    bytes = joined;
    for (let found = firstPart(bytes); found; found = firstPart(bytes)) {
      take({ picture: bytes.subarray(found.start, found.end) });
      bytes = bytes.slice(found.end);
    }
  }
}
const longestHead = 512; // bytes
function firstPart(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, longestHead));
  const length = Number(/Content-Length: (\d+)\r\n\r\n/.exec(head)?.[1]), start = head.indexOf("\r\n\r\n") + 4;
  return length && bytes.length >= start + length ? { start, end: start + length } : null;
}
