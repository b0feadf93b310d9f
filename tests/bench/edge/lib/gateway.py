"""recruiting-gateway as it is shipped, one thread like the others, on its own ports."""
import os
from urllib.request import urlopen

from ports import free_port
from program import Program, answers

SOON_FULL, NEVER_FULL = 1, 1_000_000_000


class Gateway:
    def __init__(self, build, directory, name, service, redis, shared=None, **settings):
        """service, redis: ports. settings: of the program, without their prefix; shared: with their whole names."""
        self.ports = {name: free_port() for name in ("OPEN", "TLS", "ADMIN")}
        self.settings = {
            "LISTEN": f"127.0.0.1:{self.ports['OPEN']}",
            "TLS_LISTEN": f"127.0.0.1:{self.ports['TLS']}",
            "TLS_CERTIFICATES": f"{directory}/cert.pem:{directory}/key.pem",
            "ADMIN_LISTEN": f"127.0.0.1:{self.ports['ADMIN']}",
            "AUTH_API": f"127.0.0.1:{service}",
            "PUBLIC_API": f"127.0.0.1:{service}",
            "THREADS": 1,
            "ACCESS_LOG": "false",
            "CLIENT_CONNECTIONS": 4096,
            "RATE_LIMIT": NEVER_FULL,
        } | settings
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RECRUITING_")}
        environment["RECRUITING_REDIS_URL"] = f"redis://127.0.0.1:{redis}"
        environment |= {"RECRUITING_GATEWAY_" + name: str(value) for name, value in self.settings.items()}
        environment |= shared or {}
        program = os.path.join(build, "bin/recruiting-gateway")
        if not os.path.exists(program):
            raise SystemExit(f"{program} is not there: cmake --preset release && cmake --build --preset release")
        self.program = Program(name, [program], f"{directory}/{name}.log", environment)
        self.program.wait_for(lambda: answers(self.ports["ADMIN"], "/readyz"))

    @property
    def pid(self):
        return self.program.pid

    def resident_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def metric(self, name):
        with urlopen(f"http://127.0.0.1:{self.ports['ADMIN']}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    def stop(self):
        self.program.stop()
