"""Makes films on several machines: shares their segments out with Ray.

    farm.py TOOL ADDRESS JOBS REPORT VERBOSITY IN... OUT_DIR -- [OPTION...]

Started by `gst-people farm`. TOOL is that program, by the same path on every machine, as are IN and OUT_DIR. ADDRESS is the
one of a cluster, `local` for one on this machine. A task is a segment of a film (`gst-people video --segment=N`) or
a whole short film; once all segments of a film are there, another task joins them. Ray starts tasks of a machine that
went away anew elsewhere. What is there already is not made again.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time

# Nobody is told what is done here.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Warnings that are of no use to somebody who makes films.
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

import ray

# How often a task is started anew when its machine goes away.
RETRIES = 10
# Seconds between looks at tasks, and for which the lock of a run that was cut off may outlive it.
INTERVAL, LOCK_PATIENCE = 1, 120
EXIT_OUTPUT = 4
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


@ray.remote(num_cpus=1, max_retries=RETRIES)
def make(command: list[str], environment: dict[str, str], folder: str) -> dict:
    """Makes a segment or a film on one of the machines."""
    started = time.monotonic()
    while True:
        status, events = call(command, environment, folder)
        message = next((event["message"] for event in events if event["event"] == "failed"), None)
        # A machine that was cut off from the others lets go of its locks after some time.
        waits = status == EXIT_OUTPUT and "another run" in (message or "")
        if not waits or time.monotonic() - started > LOCK_PATIENCE:
            break
        time.sleep(INTERVAL)
    frames = sum(event.get("frames", 0) for event in events if event["event"] == "finished")
    return {
        "message": message, "frames": frames, "seconds": time.monotonic() - started,
        "node": ray.get_runtime_context().get_node_id(),
    }  # fmt: skip


class Film:
    """A film, and what is left to be done for it."""

    def __init__(self, plan: dict) -> None:
        self.input, self.output = plan["input"], plan["output"]
        self.segments, self.frames = plan.get("segments", 1), plan.get("frames")
        self.status = {"plan": "waiting", "skipped": "skipped", "failed": "failed"}[plan["event"]]
        self.message = plan.get("message")
        self.left = self.segments
        self.seconds, self.nodes = 0.0, set()

    def command(self, tool: str, options: list[str], segment: int | None) -> list[str]:
        command = [tool, "video", self.input, self.output, "--json", "--jobs=1", *options]
        return command if segment is None else [*command, f"--segment={segment}"]

    def report(self) -> dict:
        return {
            "input": self.input, "output": self.output, "status": self.status, "message": self.message,
            "segments": self.segments, "frames": self.frames, "taskSeconds": round(self.seconds, 1),
            "machines": len(self.nodes),
        }  # fmt: skip


class Farm:
    """All films, and the tasks that are under way."""

    def __init__(self, tool: str, options: list[str], films: list[Film], verbosity: str) -> None:
        self.tool, self.options, self.films, self.verbosity = tool, options, films, verbosity
        # Nodes may have another environment; where GStreamer looks is the same on all.
        self.environment = {name: value for name, value in os.environ.items() if name.startswith("GST_")}
        self.tasks: dict[ray.ObjectRef, tuple[Film, int | None]] = {}
        self.started, self.frames, self.done = time.monotonic(), 0, 0
        self.total = sum(film.segments for film in films if film.status == "waiting")

    def start(self, film: Film, segment: int | None) -> None:
        task = make.remote(film.command(self.tool, self.options, segment), self.environment, os.getcwd())
        self.tasks[task] = (film, segment)

    def run(self) -> None:
        for film in self.films:
            if film.status == "waiting":
                numbers = range(film.segments) if film.segments > 1 else [None]
                for number in numbers:
                    self.start(film, number)
        while self.tasks:
            ready, _ = ray.wait(list(self.tasks), num_returns=1, timeout=INTERVAL)
            for task in ready:
                self.finish(task, *self.tasks.pop(task))

    def finish(self, task: ray.ObjectRef, film: Film, segment: int | None) -> None:
        try:
            result = ray.get(task)
        except ray.exceptions.RayError as error:
            result = {"message": f"Ray: {str(error).splitlines()[0]}", "frames": 0, "seconds": 0, "node": None}
        film.seconds += result["seconds"]
        film.nodes |= {result["node"]} - {None}
        self.frames += result["frames"] if segment is not None or film.segments == 1 else 0
        if result["message"]:
            film.status, film.message = "failed", result["message"]
        elif film.status == "waiting":
            self.advance(film, segment, result)
        self.tell(film)

    def advance(self, film: Film, segment: int | None, result: dict) -> None:
        if segment is not None:
            film.left -= 1
            self.done += 1
            if film.left == 0:
                self.start(film, None)
            return
        film.status = "done"
        if film.segments == 1:
            film.frames, self.done = result["frames"], self.done + 1

    def tell(self, film: Film) -> None:
        seconds = time.monotonic() - self.started
        left = (self.total - self.done) * seconds / self.done if self.done else None
        finished = sum(film.status != "waiting" for film in self.films)
        event = {
            "event": "progress", "segments": self.done, "ofSegments": self.total, "films": finished,
            "ofFilms": len(self.films), "framesPerSecond": round(self.frames / seconds, 1),
            "secondsLeft": None if left is None else round(left, 1),
        }  # fmt: skip
        if self.verbosity == "json":
            print(json.dumps(event), file=OUTPUT, flush=True)
        elif self.verbosity == "normal":
            ending = "" if left is None else f", {clock(left)} left"
            print(
                f"{self.done} of {self.total} segments, {finished} of {len(self.films)} films, "
                f"{event['framesPerSecond']} frames/s{ending}",
                file=OUTPUT,
                flush=True,
            )
        if film.status == "failed" and self.verbosity != "json":
            print(f"gst-people farm: {film.message}", file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def plan(tool: str, paths: list[str], options: list[str]) -> tuple[int, list[dict]]:
    """How all films are cut; the plans lie beside the films then."""
    status, events = call([tool, "video", *paths, "--plan", "--json", *options], {}, os.getcwd())
    return status, [event for event in events if event["event"] in ("plan", "skipped", "failed")]


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
    # A folder, even of one film.
    paths[-1] = os.path.join(paths[-1], "")
    if report and (problem := complaint(report)):
        print(f"gst-people farm: {problem}", file=sys.stderr)
        return 4
    status, plans = plan(tool, paths, options)
    general = [entry for entry in plans if "output" not in entry]
    if general:
        print(f"gst-people farm: {general[0]['message']}", file=sys.stderr)
        return status
    films = [Film(entry) for entry in plans]
    cpus = {"num_cpus": int(jobs) or os.cpu_count()} if address == "local" else {}
    try:
        ray.init(address, include_dashboard=False, log_to_driver=False, logging_level="ERROR", **cpus)
    except (ConnectionError, RuntimeError, ValueError) as error:
        print(f"gst-people farm: the cluster {address} cannot be used: {error}", file=sys.stderr)
        return 3
    farm = Farm(tool, options, films, verbosity)
    farm.run()
    result = {
        "event": "report", "wallSeconds": round(time.monotonic() - farm.started, 1),
        "taskSeconds": round(sum(film.seconds for film in films), 1),
        "films": [film.report() for film in films],
    }  # fmt: skip
    if report:
        write(report, result)
    if verbosity == "json":
        print(json.dumps(result), file=OUTPUT)
    elif verbosity == "normal":
        counts = [sum(film.status == status for film in films) for status in ("done", "skipped", "failed")]
        print("{} done, {} skipped, {} failed".format(*counts), file=OUTPUT)
    return 1 if any(film.status == "failed" for film in films) else 0


if __name__ == "__main__":
    sys.stdout = sys.stderr
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        # What is finished stays; the same command goes on.
        sys.exit(130)
