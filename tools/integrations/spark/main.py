"""What spark-submit runs; docs/at-scale.md tells how."""

import sys

from upright_spark.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
