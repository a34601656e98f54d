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

# The server is on this machine, whatever proxy leads to others.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class Parley:
    """A server that this process started."""

    def __init__(self, ready):
        self.url = ready["url"]
        self.users = ready["credentials"]["users"]

    def advance(self, ms):
        """Moves the server's clock forward, and does what is due by then."""
        self._ask("POST", "/testing/advance", ms=ms)

    def expire_queues(self):
        """Ends all event queues, and says how many there were."""
        return self._ask("POST", "/testing/expire-queues")["queues"]

    def fail_next(
        self, *, operation=None, status=None, code=None, retry_after=None, drop=None, delay=None, slow=None, times=None
    ):
        """Lets the next calls fail, be dropped (drop=True or "answer") or be late; ValueError for what the server does not know."""
        drop = {True: "request", False: None}.get(drop, drop)
        values = {"operation": operation, "status": status, "code": code, "retry_after": retry_after, "drop": drop}
        self._ask("POST", "/testing/fail-next", **values, delay=delay, slow=slow, times=times)

    def limit_rates(self, calls_a_minute=None):
        """Says how often a minute each account may call; None for no limit."""
        self._ask("POST", "/testing/limit-rates", calls_a_minute=calls_a_minute)

    def pause_events(self):
        """Clients are told nothing until resume_events()."""
        self._ask("POST", "/testing/pause-events")

    def resume_events(self):
        """Clients are told everything that happened meanwhile."""
        self._ask("POST", "/testing/resume-events")

    def restart(self):
        """Ends the server as an operator does, and starts it at the same address."""
        self._ask("POST", "/testing/restart")

    def snapshot(self):
        """Notes how everything is, for reset()."""
        self._ask("POST", "/testing/snapshot")

    def reset(self, to=None):
        """Goes back to the last snapshot, or to the start: with to="start" a snapshot is forgotten."""
        self._ask("POST", "/testing/reset", to=to)

    def new_user(self, full_name):
        """Makes a member: `email`, `api_key` and `user_id`."""
        return self._ask("POST", "/testing/users", full_name=full_name)

    def requests(self):
        """The journal: what the client sent, and what it was answered."""
        return self._ask("GET", "/testing/requests")["requests"]

    def mistakes(self):
        """What the client did wrong, in which call, and what to do instead."""
        return self._ask("GET", "/testing/mistakes")["mistakes"]

    def expect_no_mistakes(self, except_=()):
        """Fails with the mistakes of the client, but for those of the rules in `except_`."""
        found = [one for one in self.mistakes() if one["rule"] not in except_]
        assert found == [], "\n".join(json.dumps(one, indent=2) for one in found)

    def _ask(self, method, path, **values):
        given = {name: value for name, value in values.items() if value is not None}
        form = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
        body = urllib.parse.urlencode(form).encode() if method == "POST" else None
        request = urllib.request.Request(self.url + path, body, method=method)
        try:
            with _open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as err:
            raise ValueError(f"{method} {path}: {json.load(err)['msg']}") from None


def _environment():
    """Settings that this process has for another Parley are not meant for this one."""
    own = ("PORT", "HOST", "DATABASE_URL")
    return {name: value for name, value in os.environ.items() if name not in own and not name.startswith("PARLEY_")}


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
        server = subprocess.Popen(command, stdout=log, stderr=log, env=_environment())
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
    parley_server.reset(to="start")
    return parley_server


@pytest.fixture
def parley_user(parley):
    """Makes members: `parley_user("Ada")` has `email`, `api_key` and `user_id`."""
    return parley.new_user
