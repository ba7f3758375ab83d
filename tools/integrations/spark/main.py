"""The program for spark-submit; README.md describes it."""

import sys

from upright_spark.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
