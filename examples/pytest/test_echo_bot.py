"""The bot, with the real client, on a server that loses its queue, is busy, drops its poll, and is hours ahead."""

import threading
from types import SimpleNamespace

import echo_bot
import pytest
import zulip


def client_of(parley, account):
    # What fails is the bot's to see, and not tried again by the client.
    return zulip.Client(email=account["email"], api_key=account["api_key"], site=parley.url, retry_on_errors=False)


@pytest.fixture
def chat(parley, parley_user):
    """Somebody who talks to the running bot: `say(text)`, and `heard()` for its next answer."""
    bot, ada = (client_of(parley, parley_user(name)) for name in ("Echo", "Ada"))
    bot_id = bot.get_profile()["user_id"]
    queue = ada.register(event_types=["message"])
    ended = threading.Event()
    running = threading.Thread(target=echo_bot.run, args=(bot, ended.is_set), daemon=True)
    running.start()
    # The bot hears what is sent after its own registration.
    while not any(call["operation"] == "get-events" and call["user"] == bot_id for call in parley.requests()):
        pass

    def say(text):
        assert ada.send_message({"type": "direct", "to": [bot_id], "content": text})["result"] == "success"

    def heard():
        while running.is_alive():
            polled = ada.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"])
            assert polled["result"] == "success", polled
            for event in polled["events"]:
                queue["last_event_id"] = max(queue["last_event_id"], event["id"])
                if event["type"] == "message" and event["message"]["sender_id"] == bot_id:
                    return event["message"]["content"]

    yield SimpleNamespace(say=say, heard=heard, client=ada)
    ended.set()
    running.join(10)
    assert not running.is_alive()
    parley.expect_no_mistakes()


def test_answers(chat):
    chat.say("hello")
    assert chat.heard() == "You said: hello"


def test_goes_on_after_a_restart(parley, chat):
    chat.say("before")
    assert chat.heard() == "You said: before"
    parley.restart()
    chat.say("after")
    assert chat.heard() == "You said: after"


def begins_anew(parley, chat, lose):
    """Loses the bot's queue, and talks to it when it has another one."""

    def registrations():
        return sum(call["operation"] == "register-queue" for call in parley.requests())

    before = registrations()
    lose()
    while registrations() == before:
        pass
    chat.say("again")
    direct = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [["is", "dm"]], "apply_markdown": False}
    while chat.client.get_messages(direct)["messages"][-1]["content"] != "You said: again":
        pass


def test_begins_anew_where_its_queue_was_lost(parley, chat):
    begins_anew(parley, chat, parley.expire_queues)


def test_begins_anew_after_an_hour_without_it(parley, chat):
    begins_anew(parley, chat, lambda: parley.advance(3_600_000))


def test_waits_when_it_is_told_to(parley, chat):
    parley.pause_events()
    chat.say("busy")
    parley.fail_next(operation="send-message", code="RATE_LIMIT_HIT", retry_after=0.1)
    parley.resume_events()
    assert chat.heard() == "You said: busy"
    codes = [call["code"] for call in parley.requests() if call["operation"] == "send-message"]
    assert codes == [None, "RATE_LIMIT_HIT", None]


def test_asks_again_when_a_poll_is_dropped(parley, chat):
    parley.fail_next(operation="get-events", drop="request")
    while not any(call["outcome"] == "dropped" for call in parley.requests()):
        pass
    chat.say("dropped")
    assert chat.heard() == "You said: dropped"
