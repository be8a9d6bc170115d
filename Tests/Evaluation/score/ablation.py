"""The effect of a change of masks on a set: ablation.py SET BEFORE AFTER

Prints JSON: how many pictures there are, how many have other masks, how many got better or worse by more than 0.1 of MAE
(x1000), and for IoU and MAE (both x1000) the mean change over the set with its 95 % interval, by bootstrap over pictures.
"""
import json
import sys
from pathlib import Path

import numpy as np

from masks import accuracy
from pictures import TruthSet, kind_of, predicted_mask, true_mask

#: Change of MAE, x1000, that counts as better or worse.
NOTICED = 0.1
#: Draws of the bootstrap, enough for two digits of the interval's ends.
DRAWS = 2000


def main():
    folder, before, after = map(Path, sys.argv[1:])
    data = TruthSet(folder.name, folder, kind_of(folder), before)
    stems = data.stems()
    changes = np.array([change(data, before, after, stem) for stem in stems])
    print(json.dumps({
        "n": len(stems), "changed": int((changes != 0).any(axis=1).sum()),
        "better": int((changes[:, 1] < -NOTICED).sum()), "worse": int((changes[:, 1] > NOTICED).sum()),
        "IoU": interval(changes[:, 0]), "MAE": interval(changes[:, 1])}))


def change(data, before, after, stem):
    """Changes of IoU and MAE of a picture, x1000."""
    names = [folder / f"{stem}.png" for folder in (before, after)]
    if names[0].read_bytes() == names[1].read_bytes():
        return 0.0, 0.0
    truth, counts = true_mask(data.folder, data.kind, stem)
    old, new = (accuracy(truth, predicted_mask(folder, stem, truth.shape)[0], counts) for folder in (before, after))
    return 1000 * (new["IoU"] - old["IoU"]), new["MAE"] - old["MAE"]


def interval(values):
    """The mean and its 95 % interval."""
    draw = np.random.default_rng(1)
    means = values[draw.integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    return [float(values.mean()), *map(float, np.percentile(means, (2.5, 97.5)))]


if __name__ == "__main__":
    main()
