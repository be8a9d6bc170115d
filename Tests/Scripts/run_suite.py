"""Runs the tests of a class of a script, and prints a line of JSON for each: its name, and how it failed.

    run_suite.py SCRIPT CLASS
"""

import importlib
import json
import sys
import traceback
import unittest
from pathlib import Path


class Lines(unittest.TestResult):
    """Prints each test when it has ended, with the failures of its parts."""

    def startTest(self, test):
        super().startTest(test)
        self.failed = []

    def stopTest(self, test):
        super().stopTest(test)
        print(json.dumps({"test": test._testMethodName, "failures": self.failed}), flush=True)

    def addSubTest(self, test, part, error):
        super().addSubTest(test, part, error)
        if error:
            self.failed.append(f"{part}\n{''.join(traceback.format_exception(*error))}")

    def addFailure(self, test, error):
        self.addError(test, error)

    def addError(self, test, error):
        super().addError(test, error)
        if isinstance(test, unittest.TestCase):
            self.failed.append("".join(traceback.format_exception(*error)))
        else:  # set-up or clean-up of the class
            traceback.print_exception(*error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if isinstance(test, unittest.TestCase):
            self.failed.append(f"skipped: {reason}")


def main(script, name):
    path = Path(__file__).with_name(script)
    module = importlib.import_module(path.stem)
    result = Lines()
    unittest.defaultTestLoader.loadTestsFromTestCase(getattr(module, name)).run(result)
    sys.exit(not result.wasSuccessful())


main(*sys.argv[1:])
