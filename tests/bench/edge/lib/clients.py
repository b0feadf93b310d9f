"""Clients of the gateway that wrk can't be: thousands that stay, and one that asks at a fixed rate."""
import socket
import ssl
import time

from work import PATH

REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
A_SOURCE = 500  # connections from one address: below the rate limit of connections of a client, and of ports
TIMEOUT = 20


def connect(gateway, tls, source="127.0.0.1"):
    port = gateway.ports["TLS" if tls else "OPEN"]
    made = socket.create_connection(("127.0.0.1", port), TIMEOUT, (source, 0))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not tls:
        return made
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(made)


def ask(connection):
    """One request, and its answer read to the end."""
    connection.sendall(REQUEST)
    got = b""
    while b"\r\n\r\n" not in got:
        got += receive(connection)
    head, body = got.split(b"\r\n\r\n", 1)
    if not head.startswith(b"HTTP/1.1 200 "):
        raise SystemExit("the gateway answers " + head.split(b"\r\n", 1)[0].decode())
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
    left = int(fields[b"content-length"]) - len(body)
    while left > 0:
        left -= len(receive(connection))


def receive(connection):
    part = connection.recv(65536)
    if not part:
        raise SystemExit("the gateway closed a connection")
    return part


def open_idle(gateway, tls, count):
    kept = []
    for index in range(count):
        one = connect(gateway, tls, f"127.0.1.{1 + index // A_SOURCE}")
        ask(one)
        kept.append(one)
    return kept


def stretch(gateway, tls, rate, seconds):
    """p50 and p99 in milliseconds of requests that are due at fixed times: one that waits for the one before counts from
    when it was due."""
    connection = connect(gateway, tls)
    begin, took = time.perf_counter(), []
    for index in range(rate * seconds):
        due = begin + index / rate
        early = due - time.perf_counter()
        if early > 0:
            time.sleep(early)
        sent = time.perf_counter() if early > 0 else due
        ask(connection)
        took.append((time.perf_counter() - sent) * 1000)
    connection.close()
    took.sort()
    return took[len(took) // 2], took[len(took) * 99 // 100]
