"""What is measured: each work with its sides, the first of which is the gateway, and the aims against them."""
from dataclasses import dataclass, field

PATH = "/api/v1/jobs"
NO_MORE_PASSES = 3  # requests that a side over its rate limit lets through: the first of a minute


@dataclass
class Side:
    """name: as it stands in the table. charged: process ids whose time a request costs."""
    name: str
    url: str
    charged: dict


@dataclass
class Work:
    name: str
    sides: list
    path: str = PATH
    body: int = 0  # bytes of a request's; 0: GET
    refused: bool = False  # 429 is the right answer
    aims: dict = field(default_factory=dict)  # by side and connections: what of ours, divided by its, and at most what

    def judge(self, result):
        """What a run must have been to count."""
        passed = result["requests"] - result["refused"]
        if self.refused and passed > NO_MORE_PASSES:
            raise SystemExit(f"{self.name}: {passed} of {result['requests']} requests were not answered 429")
        if not self.refused and result["refused"]:
            raise SystemExit(f"{self.name}: {result['refused']} of {result['requests']} requests were refused")


def aims(lua=None, nginx=None, haproxy=None, latency=False):
    out = {("nginx + Lua", 64): ("cpu", lua), ("nginx", 64): ("cpu", nginx), ("HAProxy", 64): ("cpu", haproxy)}
    if latency:
        out["nginx + Lua", 1] = ("p50", 1.0)
    return {key: aim for key, aim in out.items() if aim[1] is not None}


def all_work(gateways, peers):
    """gateways: open, logged, shut; peers: nginx, lua, haproxy, each a (program, ports); redis a program."""
    redis = peers["redis"]
    nginx, lua, haproxy = peers["nginx"], peers["lua"], peers["haproxy"]

    def gateway(which, name="gateway", port="OPEN"):
        one = gateways[which]
        return Side(name, url(one.ports[port], port), {"program": one.pid, "redis": redis.pid})

    def peer(name, one, port="OPEN", counts=False):
        program, ports = one
        return Side(name, url(ports[port], port), {"program": program.pid} | ({"redis": redis.pid} if counts else {}))

    proxying = [gateway("open"), peer("nginx", nginx), peer("HAProxy", haproxy)]
    with_bodies = [*proxying, peer("nginx, buffers of 128 KiB", nginx, "TUNED")]
    return {
        "count": Work("count and proxy", [gateway("open"), gateway("logged", "gateway, access log on"),
                                          peer("nginx + Lua", lua, counts=True), *proxying[1:]],
                      aims=aims(lua=0.45, nginx=1.0, latency=True)),
        "429": Work("answer 429", [gateway("shut"), peer("nginx + Lua", lua, "SHUT", counts=True),
                                   peer("HAProxy", haproxy, "SHUT")], refused=True, aims=aims(lua=0.30, haproxy=1.0)),
        "tls": Work("TLS: count and proxy", [gateway("open", port="TLS"), peer("nginx", nginx, "TLS"),
                                             peer("HAProxy", haproxy, "TLS")], aims=aims(nginx=1.0)),
        "answers": Work("answers of 64 KiB", with_bodies, path="/api/v1/large", aims=aims(nginx=0.9)),
        "uploads": Work("requests of 64 KiB", with_bodies, path="/api/v1/upload", body=64 * 1024,
                        aims=aims(nginx=0.9)),
    }


def url(port, kind):
    return f"{'https' if kind == 'TLS' else 'http'}://127.0.0.1:{port}/"
