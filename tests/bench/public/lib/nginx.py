"""nginx with the job as a static file, at the job's own path, one worker."""
import os
import shutil

from ports import free_port
from program import Program, is_open

HERE = os.path.dirname(os.path.abspath(__file__))


def find_nginx():
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise SystemExit("nginx is not installed: apt-get install nginx-light")
    return found


class Nginx:
    def __init__(self, directory, path, body, logged):
        self.ports = {"PLAIN": free_port(), "TUNED": free_port()}
        home = f"{directory}/nginx.{logged}"
        file = f"{home}/files{path}"
        os.makedirs(os.path.dirname(file), mode=0o755)
        with open(file, "wb") as job:
            job.write(body)
        values = self.ports | {"LOG": f"{home}/access.log" if logged else "off"}
        with open(os.path.join(HERE, "../conf/nginx.conf"), encoding="utf-8") as template:
            text = template.read()
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        with open(f"{home}/nginx.conf", "w", encoding="utf-8") as conf:
            conf.write(text)
        command = [find_nginx(), "-p", home, "-e", f"{home}/nginx.err", "-c", f"{home}/nginx.conf"]
        self.program = Program("nginx", command, f"{home}/start.log")
        self.program.wait_for(lambda: is_open(self.ports["PLAIN"]) and is_open(self.ports["TUNED"]))

    def stop(self):
        self.program.stop()
