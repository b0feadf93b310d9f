"""A model server that is there (GET is answered) and answers no POST."""
import asyncio
import threading
import time

DEADLINE = 60  # seconds


class HungModel:
    def __init__(self):
        self.hanging = 0
        self._writers = set()
        self._loop = asyncio.new_event_loop()
        listening = threading.Event()
        threading.Thread(target=self._serve, args=(listening,), daemon=True).start()
        listening.wait()

    def wait_for(self, count):
        deadline = time.monotonic() + DEADLINE
        while self.hanging < count:
            if time.monotonic() > deadline:
                raise SystemExit(f"only {self.hanging} of {count} runs reached the model server")
            time.sleep(0.02)

    def hang_up(self):
        """Closes the connections of those that wait: their runs fail."""
        asyncio.run_coroutine_threadsafe(self._close_all(), self._loop).result()

    def _serve(self, listening):
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._take, "127.0.0.1", 0, backlog=1024))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        listening.set()
        self._loop.run_forever()

    async def _take(self, reader, writer):
        self._writers.add(writer)
        asked = False
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            while head.startswith(b"get "):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = [line for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(length[0].split(b":")[1]) if length else 0)
            asked = True
            self.hanging += 1
            await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.hanging -= asked
            self._writers.discard(writer)
            writer.close()

    async def _close_all(self):
        for writer in list(self._writers):
            writer.transport.abort()
