"""The service, Redis and the peers, each with one worker, on free ports below one temporary directory."""
import glob
import json
import os
import shutil
import subprocess

from ports import free_port
from program import Program, is_open

CONF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../conf")
LARGE = 64 * 1024
PACKAGES = {"wrk": "wrk", "nginx": "nginx-light", "haproxy": "haproxy", "redis-server": "redis-server",
            "openssl": "openssl"}


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def modules():
    found = glob.glob("/usr/lib/nginx/modules/ngx_http_lua_module.so")
    return os.path.dirname(found[0]) if found else None


def require_peers(*programs):
    """programs: all, if none is named."""
    missing = [package for program, package in PACKAGES.items()
               if (not programs or program in programs) and not find(program)]
    if not modules():
        missing.append("libnginx-mod-http-lua")
    if missing:
        raise SystemExit("not installed: apt-get install " + " ".join(missing))


def make_files(directory):
    """A certificate for TLS on every side, and the body of 64 KiB."""
    key, certificate = directory + "/key.pem", directory + "/cert.pem"
    subprocess.run([find("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    with open(directory + "/both.pem", "w", encoding="utf-8") as both:
        for name in (certificate, key):
            with open(name, encoding="utf-8") as part:
                both.write(part.read())
    with open(directory + "/large.json", "w", encoding="utf-8") as large:
        large.write('"' + "x" * (LARGE - 2) + '"')


class Peers:
    def __init__(self, directory):
        self.directory = directory
        self.programs = []
        self.values = {"DIRECTORY": directory, "MODULES": modules(), "UPSTREAM": free_port(), "REDIS": free_port(),
                       "BODY": json.dumps({"id": 1, "title": "Engineer", "status": "open", "description": "x" * 960})}

    def start_service(self):
        self._nginx("upstream", self._write("upstream.conf"), self.values["UPSTREAM"])
        return self.values["UPSTREAM"]

    def start_redis(self):
        port = self.values["REDIS"]
        command = [find("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                   "--dir", self.directory]
        return self._start("redis", command, port), port

    def start_nginx(self):
        return self._proxy("nginx", "nginx.conf")

    def start_lua(self):
        self._write("rate_limit.lua")
        return self._proxy("lua", "lua.conf")

    def start_haproxy(self):
        ports = {name: free_port() for name in ("OPEN", "SHUT", "TLS")}
        file = self._write("haproxy.cfg", ports)
        return self._start("haproxy", [find("haproxy"), "-db", "-f", file], ports["OPEN"]), ports

    def stop(self):
        while self.programs:
            self.programs.pop().stop()

    def _proxy(self, name, conf):
        ports = {which: free_port() for which in ("OPEN", "SHUT", "TLS", "TUNED")}
        for part in ("proxy.inc", "http.inc"):
            self._write(part, {"NAME": name}, f"{name}-{part}")
        return self._nginx(name, self._write(conf, ports), ports["OPEN"]), ports

    def _nginx(self, name, file, port):
        command = [find("nginx"), "-p", self.directory, "-e", f"{self.directory}/{name}.err", "-c", file]
        return self._start(name, command, port)

    def _start(self, name, command, port):
        program = Program(name, command, f"{self.directory}/{name}.log")
        self.programs.append(program)
        program.wait_for(lambda: is_open(port))
        return program

    def _write(self, name, more=None, to=None):
        with open(os.path.join(CONF, name), encoding="utf-8") as template:
            text = template.read()
        for key, value in (self.values | (more or {})).items():
            text = text.replace(f"@{key}@", str(value))
        path = os.path.join(self.directory, to or name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
