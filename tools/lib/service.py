"""A running `upright serve`."""

import http.client
import re
import signal
import socket
import subprocess

from checks import UPRIGHT, expect


class Service:
    """A service on a free port, until the end of the `with` statement."""

    def __init__(self, *options, log=None):
        self.process = subprocess.Popen([UPRIGHT, "serve", "--port", "0", *options], stdout=log, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        if not found:
            raise RuntimeError(f"the service does not start: {line}")
        self.address, self.port = found[0], int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(timeout=60) == 0, "the service ends as it should")

    def request(self, method, path, body=None, headers=None):
        """The status, the head and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        result = answer.status, answer.headers, answer.read()
        connection.close()
        return result

    def send(self, data):
        """The answer to bytes as they are."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
            client.sendall(data)
            return received(client)


def received(client):
    """The answer that comes from a socket."""
    answer = http.client.HTTPResponse(client)
    answer.begin()
    return answer.status, answer.headers, answer.read()
