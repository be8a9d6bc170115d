import sys,shutil
