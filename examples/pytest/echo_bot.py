"""A bot that answers direct messages with what they say, and does not lose any when its queue is lost."""

import time

import requests


def ask(call, *values, **options):
    """What the server answers; a connection that breaks is an answer, too."""
    try:
        return call(*values, **options)
    except requests.exceptions.ConnectionError:
        return {"result": "connection-error"}


def until_it_succeeds(call, *values, **options):
    while True:
        answered = ask(call, *values, **options)
        if answered["result"] == "success":
            return answered
        time.sleep(float(answered.get("retry-after", 0.2)))


def register(client):
    queue = until_it_succeeds(client.register, event_types=["message"])
    return queue["queue_id"], queue["last_event_id"]


def answer(client, message):
    to = [one["id"] for one in message["display_recipient"]]
    echo = {"type": "direct", "to": to, "content": f"You said: {message['content']}"}
    until_it_succeeds(client.send_message, echo)


def run(client, until):
    """Answers messages until `until()` says that it is enough."""
    own = until_it_succeeds(client.get_profile)["user_id"]
    queue_id, last_event_id = register(client)
    while not until():
        polled = ask(client.get_events, queue_id=queue_id, last_event_id=last_event_id, dont_block=True)
        if polled.get("code") == "BAD_EVENT_QUEUE_ID":
            queue_id, last_event_id = register(client)
            continue
        if polled["result"] != "success":
            time.sleep(float(polled.get("retry-after", 0.2)))
            continue
        for event in polled["events"]:
            last_event_id = max(last_event_id, event["id"])
            if event["type"] == "message" and event["message"]["sender_id"] != own:
                answer(client, event["message"])
        time.sleep(0.02)
