"""Clients of POST /agent/invoke that wait for their answers, a connection each."""
import json
import socket


class Invocations:
    def __init__(self, service, count):
        self.sockets = [self._invoke(service, index) for index in range(count)]

    def wait(self):
        """Until each has its answer, which says that the run failed."""
        for one in self.sockets:
            answer = b""
            while b'"status"' not in answer:
                part = one.recv(65536)
                if not part:
                    raise SystemExit(f"an invocation was answered {answer[:300]!r}")
                answer += part
            if b'"failed"' not in answer:
                raise SystemExit(f"an invocation was answered {answer[-300:]!r}")
            one.close()

    @staticmethod
    def _invoke(service, index):
        body = json.dumps({"prompt": f"Wait, number {index}."})
        made = socket.create_connection(("127.0.0.1", service.port), 60)
        made.sendall((f"POST /api/v1/agent/invoke HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {service.key}\r\n"
                      f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        return made
