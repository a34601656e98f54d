"""A Parley for tests of clients: docs/testing-clients.md says what a test can do to it."""

import json
import os
import shlex
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

START_SECONDS = 60


class Parley:
    """A server that this process started. Every verb of /testing is a method."""

    def __init__(self, ready):
        self.url = ready["url"]
        self.users = ready["credentials"]["users"]

    def __getattr__(self, verb):
        method = "GET" if verb in ("requests", "mistakes") else "POST"
        path = "/testing/" + verb.replace("_", "-")
        return lambda **values: self._ask(method, path, values)

    def expect_no_mistakes(self):
        """Fails with what the client did wrong, in which call, and what to do instead."""
        found = self.mistakes()["mistakes"]
        assert found == [], "\n".join(json.dumps(one, indent=2) for one in found)

    def _ask(self, method, path, values):
        form = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
        body = urllib.parse.urlencode(form).encode() if method == "POST" else None
        request = urllib.request.Request(self.url + path, body, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as err:
            raise ValueError(f"{method} {path}: {json.load(err)['msg']}") from None


def _command():
    named = os.environ.get("PARLEY_SERVER")
    found = shutil.which("parley-server", path="node_modules/.bin" + os.pathsep + os.environ.get("PATH", ""))
    if named is None and found is None:
        raise pytest.UsageError("There is no parley-server: install its package in the project, or name one in PARLEY_SERVER")
    return shlex.split(named) if named else [found]


@pytest.fixture(scope="session")
def parley_server(tmp_path_factory):
    """The one server of the run."""
    folder = tmp_path_factory.mktemp("parley")
    ready = folder / "ready.json"
    command = [*_command(), "--testing", "on", "--port", "0", "--data", str(folder / "data"), "--ready-file", str(ready)]
    with open(folder / "log", "w+b") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            for _ in range(START_SECONDS * 50):
                if ready.exists() or server.poll() is not None:
                    break
                try:
                    server.wait(0.02)
                except subprocess.TimeoutExpired:
                    pass
            if not ready.exists():
                log.seek(0)
                raise RuntimeError(f"{command[0]} did not start: {log.read().decode()}")
            yield Parley(json.loads(ready.read_text()))
        finally:
            server.terminate()
            server.wait()


@pytest.fixture
def parley(parley_server):
    """The server as it was at the start, whatever tests before this one did to it."""
    parley_server.reset()
    return parley_server


@pytest.fixture
def parley_user(parley):
    """Makes members: `parley_user("Ada")` has `email`, `api_key` and `user_id`."""
    return lambda name: parley._ask("POST", "/testing/users", {"full_name": name})
