"""Reads the tables that `people-bench` prints."""
import re
import subprocess


def printed(program, part):
    """The lines of `people-bench PART`, which are printed here, too."""
    found = subprocess.run([program, part], check=True, stdout=subprocess.PIPE, text=True).stdout
    print(found, flush=True)
    return found.splitlines()


def limits(program):
    """By element, CPU ms a frame of the element and of the bare inferences of its models, and the number of these."""
    rows = [re.split(r"\s{2,}", line.strip()) for line in printed(program, "limits")]
    return {row[0]: {"cpu_ms": float(row[1]), "inferences_ms": float(row[2]), "inferences": float(row[4])}
            for row in rows if len(row) > 5 and row[1][0].isdigit()}
