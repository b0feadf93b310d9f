"""A program of the bench: started here, awaited by its port, ended by its process id."""
import http.client
import signal
import socket
import subprocess
import sys
import time

DEADLINE = 20  # seconds


def clean_up_when_terminated():
    """SIGTERM ends the bench as Ctrl-C does: what was started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


class Program:
    def __init__(self, name, command, log, environment=None):
        self.name, self.log = name, log
        with open(log, "ab") as out:
            self.process = subprocess.Popen(command, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    @property
    def pid(self):
        return self.process.pid

    def wait_for(self, condition):
        deadline = time.monotonic() + DEADLINE
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                with open(self.log, encoding="utf-8", errors="replace") as file:
                    raise SystemExit(f"{self.name} did not start: {file.read()[-2000:]}")
            time.sleep(0.05)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def answers(port, path, status=200):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == status
    except OSError:
        return False
    finally:
        connection.close()


def read_metric(port, name):
    """name: with its labels, if it has any."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    finally:
        connection.close()
    return next(float(line.split()[-1]) for line in lines if line.startswith(name + " "))
