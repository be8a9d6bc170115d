"""Head poses: CSV files with the columns image, pitch_deg, yaw_deg and roll_deg, the truth perhaps with a group.

Degrees. yaw > 0: nose to the image's right; pitch > 0: nose down; roll > 0: counter-clockwise in the image.
Rotation from object to camera: R = Rz(roll) Ry(yaw) Rx(pitch); camera x right, y up, z to the viewer. With the
signs `aflw` (the .mat files of 300W-LP and AFLW2000), R = Rx(-pitch) Ry(-yaw) Rz(-roll), converted to the above.
"""
import csv

import numpy as np

AXES = ("pitch", "yaw", "roll")


def add_options(command):
    for which in ("truth", "pred"):
        command.add_argument(f"--{which}-signs", choices=("render", "aflw"), default="render")


def score(arguments, _pool):
    """Errors by group of pictures."""
    truth = read(arguments.truth, arguments.truth_signs)
    prediction = read(arguments.pred, arguments.pred_signs)
    scores = {"missed": sorted(set(truth) - set(prediction))}
    for group, names in groups(truth).items():
        pairs = [(truth[name][0], prediction[name][0]) for name in names if name in prediction]
        errors = compare(pairs) if pairs else {"n": 0}
        scores[group] = {**errors, "missed": len(names) - len(pairs)}
    return scores


def read(path, signs):
    """Angles (pitch, yaw, roll) and group of each picture; rows without angles are left out."""
    poses = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            try:
                angles = np.array([float(row[f"{axis}_deg"]) for axis in AXES])
            except (TypeError, ValueError):
                continue
            if np.isfinite(angles).all():
                angles = from_aflw(angles) if signs == "aflw" else angles
                poses[row["image"]] = angles, row.get("group") or "all"
    return poses


def groups(truth):
    """Names of pictures: all, those of each group, and those of each range of yaw."""
    names = {"all": list(truth)}
    for name, (angles, group) in truth.items():
        if group != "all":
            names.setdefault(group, []).append(name)
        names.setdefault(yaw_range(abs(angles[1])), []).append(name)
    return names


def yaw_range(yaw):
    return "|yaw|<=30" if yaw <= 30 else "|yaw| 30-60" if yaw <= 60 else "|yaw|>60"


def compare(pairs):
    """Errors of pairs of true and predicted angles."""
    errors = np.array([(prediction - truth + 180) % 360 - 180 for truth, prediction in pairs])
    bias = np.median(errors, 0)
    distances = [geodesic(*pair) for pair in pairs]
    return {
        "n": len(pairs),
        "mae": named(np.abs(errors).mean(0)),
        "bias": named(bias),
        "mae_without_bias": named(np.abs(errors - bias).mean(0)),
        "geodesic_mean": float(np.mean(distances)),
        "geodesic_median": float(np.median(distances)),
    }


def named(values):
    return dict(zip(AXES, map(float, values)))


def geodesic(truth, prediction):
    """The angle in degrees of the turn from one pose to the other."""
    trace = np.trace(rotation(*truth).T @ rotation(*prediction))
    return np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1)))


def rotation(pitch, yaw, roll):
    x, y, z = axis_rotations(pitch, yaw, roll)
    return z @ y @ x


def axis_rotations(pitch, yaw, roll):
    """The rotations about x, y and z."""
    c, s = (f(np.radians([pitch, yaw, roll])) for f in (np.cos, np.sin))
    return (np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]]),
            np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]]),
            np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]]))


def from_aflw(angles):
    x, y, z = axis_rotations(*-np.asarray(angles))
    m = x @ y @ z
    yaw = np.arcsin(np.clip(-m[2, 0], -1, 1))
    return np.degrees([np.arctan2(m[2, 1], m[2, 2]), yaw, np.arctan2(m[1, 0], m[0, 0])])


def report(scores):
    """Prints the table."""
    axes = "yaw  pitch   roll"
    print(f'{"group":14}{"n":>5}{"miss":>5} | MAE {axes} | without bias {axes} | bias {axes} | geodesic mean median')
    for group, s in scores.items():
        if group == "missed":
            continue
        start = f'{group:14}{s["n"]:5}{s["missed"]:5} |'
        if not s["n"]:
            print(start)
            continue
        print(f'{start} {figures(s["mae"])} |        {figures(s["mae_without_bias"])}  |  {figures(s["bias"])}'
              f' |  {s["geodesic_mean"]:7.2f} {s["geodesic_median"]:7.2f}')


def figures(values):
    return "".join(f"{values[axis]:7.2f}" for axis in ("yaw", "pitch", "roll"))
