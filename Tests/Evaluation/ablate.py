"""Masks without each rule in turn, beside those with all rules."""
import json
import os
import re
import shutil
import subprocess
import sys

import scorer
import table
from gstreamer import EvaluationError

ROOT = scorer.HERE.parent.parent
RULES = ROOT / "Sources" / "Vision" / "PeopleVision" / "Segmentation" / "MaskRule.swift"


def evaluate(arguments):
    """Runs `Tests/evaluate ablate`."""
    groups = [group.split(",") for group in arguments.rule or rules()]
    unknown = sorted({rule for group in groups for rule in group} - set(rules()))
    if unknown:
        raise EvaluationError(f"there is no rule {unknown[0]}; there are {', '.join(rules())}.")
    bench = Bench(arguments.keep or scorer.PRIVATE / "ablation", arguments.quality)
    sets = [data for chosen in table.chosen_sets(arguments.root, arguments.only) for data in bench.with_mirror_image(chosen)]
    table.print_row("without", *(data.name for data in sets))
    table.print_row(*["---"] * (1 + len(sets)))
    results = {}
    for group in groups:
        found = {data.name: bench.change(data, group) for data in sets}
        table.print_row(", ".join(group), *map(cell, found.values()))
        results[",".join(group)] = found
        if arguments.json:
            arguments.json.write_text(json.dumps(results, indent=1) + "\n")


def rules():
    """Names of all rules, in their order."""
    cases = re.findall(r'^    case (\w+)(?: = "([\w-]+)")?$', RULES.read_text(), re.MULTILINE)
    return [text or name for name, text in cases]


def cell(change):
    """IoU and MAE x1000 with their intervals, and how many pictures changed; `=` where no mask did."""
    if not change["changed"]:
        return "="
    (overlap, *bounds), (error, *limits) = change["IoU"], change["MAE"]
    return (f"{overlap:+.1f} [{bounds[0]:+.1f} {bounds[1]:+.1f}], {error:+.2f} [{limits[0]:+.2f} {limits[1]:+.2f}] "
            f"({change['changed']}/{change['n']}; {change['better']}/{change['worse']})")


class Bench:
    """Makes masks with a plugin whose rules can be switched off, in a folder that keeps them and the models' outputs."""

    def __init__(self, folder, quality):
        self.folder, self.quality = folder, quality
        self.plugin = build()
        self.masks = folder / "masks" / quality
        shutil.rmtree(self.masks, ignore_errors=True)
        (folder / "outputs").mkdir(parents=True, exist_ok=True)

    def with_mirror_image(self, data):
        """A set, and its mirror image as a set of its own."""
        return data, scorer.mirror_image(data, self.folder / "mirrored" / f"{data.name}-mirrored")

    def change(self, data, off):
        """The difference to the masks with all rules."""
        before, after = self.made(data, []), self.made(data, off)
        words = [scorer.python(), scorer.HERE / "score" / "ablation.py", data, before, after]
        return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)

    def made(self, data, off):
        """The folder of a set's masks without some rules; they are made at the first call."""
        output = self.masks / (",".join(off) or "all") / data.name
        if output.is_dir():
            return output
        is_video = (data / "frames").is_dir()
        words = [sys.executable, ROOT / "Tests" / "evaluate", "masks", data / ("frames" if is_video else "images"), output,
                 "--quality", self.quality, *(["--video"] if is_video else [])]
        settings = {"GST_PLUGIN_PATH": self.plugin, "GST_REGISTRY": self.folder / "registry",
                    "GST_PEOPLE_RULES_OFF": ",".join(off), "GST_PEOPLE_OUTPUTS": self.folder / "outputs"}
        run = subprocess.run(words, env={**os.environ, **settings}, capture_output=True, text=True)
        if run.returncode:
            raise EvaluationError(f"{data.name} without {', '.join(off)}: {run.stderr.strip()[-400:]}")
        return output


def build():
    """The folder of the plugin with switches; models are found beside it."""
    scratch = ROOT / ".build" / "rule-switches"
    words = ["swift", "build", "--package-path", ROOT, "-c", "release", "-Xswiftc", "-DRULE_SWITCHES", "--scratch-path", scratch,
             "--product", "gstpeople"]
    if subprocess.run(words, stdout=sys.stderr).returncode:
        raise EvaluationError("the plugin with switches could not be built.")
    target = scorer.PRIVATE / "plugins-with-switches"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy2(scratch / "release" / "libgstpeople.so", target)
    return target
