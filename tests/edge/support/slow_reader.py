"""Clients that take little of a response: a small maximum segment and a small receive window, which node can't set.
Loopback's usual segments hide them, because the kernel then takes megabytes from the gateway at once.

Commands, one JSON object per line on standard input: {"open": PORT, "from": ADDRESS, "count": N, "send": TEXT}, which
opens further connections; {"read": BYTES, "every": SECONDS}, what each of them reads from now on. Every change of a
connection is reported as {"connection": I, "received": N, "ended": BOOL} on standard output, "ended" after its end.
"""
import json
import selectors
import socket
import sys
import time

selector = selectors.DefaultSelector()
clients = []
pace = {"read": 0, "every": 1.0}


class Client:
    def __init__(self, number, command):
        self.number = number
        self.received = 0
        self.ended = False
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.socket.bind((command["from"], 0))
        self.socket.connect(("127.0.0.1", command["open"]))
        self.socket.sendall(command["send"].encode("latin-1"))
        self.socket.setblocking(False)

    def read(self):
        if self.ended:
            return
        try:
            taken = self.socket.recv(pace["read"])
        except BlockingIOError:
            return
        except OSError:
            taken = b""
        self.received += len(taken)
        self.ended = not taken
        self.report()

    def has_ended_unread(self):
        """The gateway is gone, although bytes before its end lie unread: RST, or FIN."""
        state = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        return state != 1  # TCP_ESTABLISHED

    def report(self):
        print(json.dumps({"connection": self.number, "received": self.received, "ended": self.ended}), flush=True)


def obey(line):
    command = json.loads(line)
    if "open" in command:
        for _ in range(command["count"]):
            clients.append(Client(len(clients), command))
            clients[-1].report()
    else:
        pace.update(command)


def main():
    selector.register(sys.stdin.buffer.raw, selectors.EVENT_READ)
    due = 0.0
    while True:
        if selector.select(timeout=0.02):
            line = sys.stdin.buffer.raw.readline()
            if not line:
                return
            obey(line)
            due = 0.0
        for one in clients:
            if not one.ended and one.has_ended_unread():
                one.ended = True
                one.report()
        if pace["read"] > 0 and time.monotonic() >= due:
            due = time.monotonic() + pace["every"]
            for one in clients:
                one.read()


main()
