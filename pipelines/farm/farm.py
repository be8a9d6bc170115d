"""Makes videos on several machines: shares their segments out with Ray.

    farm.py TOOL ADDRESS JOBS REPORT VERBOSITY IN... OUT_DIR -- [OPTION...]

Started by `gst-people farm`. TOOL is that program, by the same path on every machine, as are IN and OUT_DIR unless they are
URLs of a store (farm_storage.py). ADDRESS is the one of a cluster, `local` for one on this machine. A task is a segment of a
video (`gst-people video --segment=N`) or a whole short video; once all segments of a video are there, another task joins them.
Ray starts tasks of a machine that went away anew elsewhere. What is there already is not made again.
"""

import ctypes
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

# Nobody is told what is done here.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Warnings that are of no use to those who make videos.
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    import farm_storage
    from farm_storage import StorageError, StoredVideo, is_url
except ImportError as problem:
    here = os.path.dirname(os.path.abspath(__file__))
    print(
        f"gst-people farm: {problem}. Install what it needs: {sys.executable} -m pip install --no-deps --require-hashes "
        f"-r {here}/requirements-farm.txt",
        file=sys.stderr,
    )
    sys.exit(5)

# Other machines get the module with the tasks.
ray.cloudpickle.register_pickle_by_value(farm_storage)

# How often a task is started anew when its machine goes away.
RETRIES = 10
# Seconds between looks at tasks, and for which the lock of a run that was cut off may outlive it.
INTERVAL, LOCK_PATIENCE = 1, 120
EXIT_OUTPUT = 4
# Tasks that wait for each core: no core waits for the next video, and copies of a few videos only lie on the machines.
TASKS_PER_CORE = 2
# Seconds for machines to remove their copies at the end.
CLEANING_PATIENCE = 30
# What a task does, besides the segments by their numbers.
PLAN, WHOLE = "plan", "whole"
# Where the tool reports; Ray prints messages of its own with the standard one, which goes to the errors then.
OUTPUT = sys.stdout


def die_with_parent() -> None:
    """Called in the child: a task whose worker is gone runs elsewhere, so this one has to end."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def call(command: list[str], environment: dict[str, str], folder: str) -> tuple[int, list[dict]]:
    """The exit status of the tool, run in a folder, and what it printed as JSON."""
    process = subprocess.run(
        command, env=os.environ | environment, cwd=folder, capture_output=True, text=True,
        preexec_fn=die_with_parent,
    )  # fmt: skip
    events = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
    if process.returncode != 0 and not any(event["event"] == "failed" for event in events):
        message = process.stderr.strip() or f"{command[0]} ended with status {process.returncode}"
        events.append({"event": "failed", "code": process.returncode, "message": message})
    return process.returncode, events


@dataclasses.dataclass
class Task:
    """One step for one video, and what the tool needs for it."""

    tool: str
    options: list[str]
    environment: dict[str, str]
    folder: str
    source: str
    output: str
    stored: StoredVideo | None
    step: str | int
    segments: int

    def run(self) -> tuple[int, list[dict]]:
        if self.stored is None:
            return self.call([self.source, self.output, *([] if self.step == WHOLE else [f"--segment={self.step}"])])
        try:
            return self.run_stored(self.stored)
        except Exception as error:  # Stores raise errors of their own kinds.
            message = f"{self.output}: {type(error).__name__}: {error}"
            return 1, [{"event": "failed", "message": str(error) if isinstance(error, StorageError) else message}]

    def run_stored(self, video: StoredVideo) -> tuple[int, list[dict]]:
        if self.step == PLAN:
            return video.plan(self.call, "--force" in self.options)
        if self.step == WHOLE:
            return video.whole(self.call, self.segments)
        return video.segment(self.call, self.step)

    def call(self, arguments: list[str]) -> tuple[int, list[dict]]:
        command = [self.tool, "video", *arguments, "--json", "--jobs=1", *self.options]
        return call(command, self.environment, self.folder)


@ray.remote(num_cpus=1, max_retries=RETRIES)
def make(task: Task) -> dict:
    """Makes a segment or a video on one of the machines."""
    started = time.monotonic()
    while True:
        status, events = task.run()
        message = next((event["message"] for event in events if event["event"] == "failed"), None)
        # A machine that was cut off from the others lets go of its locks after some time.
        waits = status == EXIT_OUTPUT and "another run" in (message or "")
        if not waits or time.monotonic() - started > LOCK_PATIENCE:
            break
        time.sleep(INTERVAL)
    return {
        "message": message, "seconds": time.monotonic() - started,
        "frames": sum(event.get("frames", 0) for event in events if event["event"] == "finished"),
        "plan": next((event for event in events if event["event"] in ("plan", "skipped")), None),
        "node": ray.get_runtime_context().get_node_id(),
    }  # fmt: skip


@ray.remote(num_cpus=0, max_retries=0)
def forget(video: StoredVideo) -> None:
    """Removes the copies of a machine."""
    video.forget()


class Video:
    """A video, and what is left to be done for it."""

    def __init__(self, plan: dict, stored: StoredVideo | None = None) -> None:
        self.input, self.output, self.stored = plan["input"], plan["output"], stored
        self.segments, self.frames = plan.get("segments", 1), plan.get("frames")
        self.status = {"plan": "waiting", "skipped": "skipped", "failed": "failed"}[plan["event"]]
        self.message = plan.get("message")
        self.left = self.segments
        self.seconds, self.nodes = 0.0, set()

    def first_steps(self) -> list[str | int]:
        return [PLAN] if self.stored else self.steps()

    def steps(self) -> list[str | int]:
        return list(range(self.segments)) if self.segments > 1 else [WHOLE]

    def report(self) -> dict:
        return {
            "input": self.input, "output": self.output, "status": self.status, "message": self.message,
            "segments": self.segments, "frames": self.frames, "taskSeconds": round(self.seconds, 1),
            "machines": len(self.nodes),
        }  # fmt: skip


class Farm:
    """All videos, and the tasks that are under way."""

    def __init__(self, tool: str, options: list[str], videos: list[Video], verbosity: str) -> None:
        self.tool, self.options, self.videos, self.verbosity = tool, options, videos, verbosity
        # Nodes may have another environment; where GStreamer looks is the same on all.
        self.environment = {name: value for name, value in os.environ.items() if name.startswith("GST_")}
        self.tasks: dict[ray.ObjectRef, tuple[Video, str | int]] = {}
        self.cleaning: list[ray.ObjectRef] = []
        self.waiting = [video for video in videos if video.status == "waiting"]
        self.started, self.frames, self.done = time.monotonic(), 0, 0
        self.total = sum(video.segments for video in self.waiting)

    def start(self, video: Video, steps: list[str | int]) -> None:
        for step in steps:
            task = Task(
                self.tool, self.options, self.environment, os.getcwd(), video.input, video.output, video.stored, step,
                video.segments,
            )  # fmt: skip
            self.tasks[make.remote(task)] = (video, step)

    def run(self) -> None:
        while self.waiting or self.tasks:
            while self.waiting and len(self.tasks) < TASKS_PER_CORE * ray.cluster_resources().get("CPU", 1):
                video = self.waiting.pop(0)
                self.start(video, video.first_steps())
            ready, _ = ray.wait(list(self.tasks), num_returns=1, timeout=INTERVAL)
            for task in ready:
                self.finish(task, *self.tasks.pop(task))
        if self.cleaning:
            ray.wait(self.cleaning, num_returns=len(self.cleaning), timeout=CLEANING_PATIENCE)

    def finish(self, task: ray.ObjectRef, video: Video, step: str | int) -> None:
        try:
            result = ray.get(task)
        except ray.exceptions.RayError as error:
            message = f"Ray: {str(error).splitlines()[0]}"
            result = {"message": message, "frames": 0, "seconds": 0, "plan": None, "node": None}
        video.seconds += result["seconds"]
        video.nodes |= {result["node"]} - {None}
        self.frames += result["frames"] if step != WHOLE or video.segments == 1 else 0
        if result["message"]:
            video.status, video.message = "failed", result["message"]
        elif video.status == "waiting":
            self.advance(video, step, result)
        if video.stored and all(other is not video for other, _ in self.tasks.values()):
            self.clean(video)
        self.tell(video)

    def advance(self, video: Video, step: str | int, result: dict) -> None:
        if step == PLAN:
            self.planned(video, result["plan"])
        elif step != WHOLE:
            video.left -= 1
            self.done += 1
            if video.left == 0:
                self.start(video, [WHOLE])
        else:
            video.status = "done"
            if video.segments == 1:
                video.frames, self.done = result["frames"], self.done + 1

    def planned(self, video: Video, plan: dict) -> None:
        if plan["event"] == "skipped":
            video.status = "skipped"
            self.total -= 1
            return
        video.segments, video.frames = plan["segments"], plan["frames"]
        video.left = video.segments
        self.total += video.segments - 1
        self.start(video, video.steps())

    def clean(self, video: Video) -> None:
        """Nothing is under way for a video: machines remove their copies of it."""
        for node in video.nodes:
            affinity = NodeAffinitySchedulingStrategy(node, soft=False)
            self.cleaning.append(forget.options(scheduling_strategy=affinity).remote(video.stored))

    def tell(self, video: Video) -> None:
        seconds = time.monotonic() - self.started
        left = (self.total - self.done) * seconds / self.done if self.done else None
        finished = sum(video.status != "waiting" for video in self.videos)
        event = {
            "event": "progress", "segments": self.done, "ofSegments": self.total, "videos": finished,
            "ofVideos": len(self.videos), "framesPerSecond": round(self.frames / seconds, 1),
            "secondsLeft": None if left is None else round(left, 1),
        }  # fmt: skip
        if self.verbosity == "json":
            print(json.dumps(event), file=OUTPUT, flush=True)
        elif self.verbosity == "normal":
            ending = "" if left is None else f", {clock(left)} left"
            print(
                f"{self.done} of {self.total} segments, {finished} of {len(self.videos)} videos, "
                f"{event['framesPerSecond']} frames/s{ending}",
                file=OUTPUT,
                flush=True,
            )
        if video.status == "failed" and self.verbosity != "json":
            print(f"gst-people farm: {video.message}", file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def plan(tool: str, paths: list[str], options: list[str]) -> tuple[int, list[dict]]:
    """How all videos are cut; the plans lie beside the videos then."""
    status, events = call([tool, "video", *paths, "--plan", "--json", *options], {}, os.getcwd())
    return status, [event for event in events if event["event"] in ("plan", "skipped", "failed")]


def stored_videos(sources: list[str], folder: str, options: list[str]) -> list[Video]:
    """Videos of which a machine has to get a copy before it can say how they are cut."""
    farm_storage.opened(folder)
    videos, makers = [], {}
    for source in (name for url in sources for name in (farm_storage.expanded(url) if is_url(url) else [url])):
        output = folder + farm_storage.output_name(source, "--transparent" in options)
        entry = {"event": "plan", "input": source, "output": output}
        if output in makers:
            entry |= {"event": "failed", "message": f"{output} would be made from {makers[output]}, too."}
        makers.setdefault(output, source)
        videos.append(Video(entry, StoredVideo(source, output)))
    return videos


def complaint(report: str) -> str:
    """Why a report cannot be written there; empty where it can. An earlier report is written over."""
    try:
        with open(report + ".part", "w", encoding="utf-8"):
            pass
        os.unlink(report + ".part")
        if not os.path.lexists(report):
            return ""
        with open(report, encoding="utf-8") as file:
            is_ours = json.load(file)["event"] == "report"
    except OSError as error:
        return f"{report} cannot be written: {error.strerror}."
    except (ValueError, KeyError, TypeError):
        is_ours = False
    return "" if is_ours else f"{report} exists and is no report of farm; give another name."


def write(report: str, result: dict) -> None:
    """The report appears under its name when it is whole."""
    with open(report + ".part", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(report + ".part", report)


def main(arguments: list[str]) -> int:
    tool, address, jobs, report, verbosity, *rest = arguments
    # The last one: a file may have that name, too.
    middle = len(rest) - 1 - rest[::-1].index("--")
    passed = ("--json", "--quiet", "--jobs=")
    paths, options = rest[:middle], [word for word in rest[middle + 1 :] if not word.startswith(passed)]
    # A folder, even of one video.
    paths[-1] = os.path.join(paths[-1], "")
    if report and (problem := complaint(report)):
        print(f"gst-people farm: {problem}", file=sys.stderr)
        return 4
    if any(is_url(path) for path in paths):
        try:
            videos = stored_videos(paths[:-1], paths[-1], options)
        except StorageError as error:
            print(f"gst-people farm: {error}", file=sys.stderr)
            return 3
    else:
        status, plans = plan(tool, paths, options)
        general = [entry for entry in plans if "output" not in entry]
        if general:
            print(f"gst-people farm: {general[0]['message']}", file=sys.stderr)
            return status
        videos = [Video(entry) for entry in plans]
    cpus = {"num_cpus": int(jobs) or os.cpu_count()} if address == "local" else {}
    try:
        ray.init(address, include_dashboard=False, log_to_driver=False, logging_level="ERROR", **cpus)
    except (ConnectionError, RuntimeError, ValueError) as error:
        print(f"gst-people farm: the cluster {address} cannot be used: {error}", file=sys.stderr)
        return 3
    farm = Farm(tool, options, videos, verbosity)
    farm.run()
    result = {
        "event": "report", "wallSeconds": round(time.monotonic() - farm.started, 1),
        "taskSeconds": round(sum(video.seconds for video in videos), 1),
        "videos": [video.report() for video in videos],
    }  # fmt: skip
    if report:
        write(report, result)
    if verbosity == "json":
        print(json.dumps(result), file=OUTPUT)
    elif verbosity == "normal":
        counts = [sum(video.status == status for video in videos) for status in ("done", "skipped", "failed")]
        print("{} done, {} skipped, {} failed".format(*counts), file=OUTPUT)
    return 1 if any(video.status == "failed" for video in videos) else 0


if __name__ == "__main__":
    sys.stdout = sys.stderr
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        # What is finished stays; the same command goes on.
        sys.exit(130)
