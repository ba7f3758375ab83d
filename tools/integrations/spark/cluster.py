"""A Spark cluster of processes on this machine, for tests and benchmarks."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pyspark


class Cluster:
    """A master and some workers, each a process; they end with the `with` statement."""

    def __init__(self, folder: Path, workers: int, cores: int = 1) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen] = []
        folder.mkdir()
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"spark://127.0.0.1:{port}"
        place = ["--host", "127.0.0.1", "--webui-port", "0"]
        self._master = self._start("master.Master", *place, "--port", str(port))
        self._wait(port)
        for number in range(workers):
            size = ["--cores", str(cores), "--memory", "1g"]
            data = ["--work-dir", str(folder / f"worker-{number}")]
            self.workers.append(
                self._start("worker.Worker", *place, *size, *data, self.address)
            )

    def kill_worker(self) -> None:
        """Kills a worker and all its processes, as if its machine failed."""
        worker = self.workers.pop()
        for process in _descendants(worker.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        worker.wait()

    @staticmethod
    def processor_seconds() -> float:
        """The CPU time of this process and all its descendants."""
        ticks = 0
        for process in _descendants(os.getpid()):
            try:
                ticks += sum(map(int, _statistics(process)[11:15]))
            except OSError:
                continue
        return ticks / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self._master]:
            process.terminate()
        for process in [*self.workers, self._master]:
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, name: str, *arguments: str) -> subprocess.Popen:
        home = Path(pyspark.__file__).parent
        environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_DAEMON_MEMORY": "256m"}
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                [home / "bin/spark-class", f"org.apache.spark.deploy.{name}", *arguments],
                stdout=log,
                stderr=log,
                env=environment,
            )

    def _wait(self, port: int) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        raise TimeoutError(f"the master did not start; see {self.folder}")


def _statistics(process: int) -> list[str]:
    """The fields of `/proc/PID/stat` after the name, from the state on."""
    return Path("/proc", str(process), "stat").read_text().rsplit(")", 1)[1].split()


def _descendants(root: int) -> list[int]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(_statistics(int(entry))[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found
