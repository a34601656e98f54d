"""A program around `call_on_each_message`: prints each message that it receives as one line of JSON and answers the
first one in its topic, with the zuliprc named by the first argument."""

import json
import sys

import zulip

client = zulip.Client(config_file=sys.argv[1])
answered = []


def react(message):
    print(json.dumps(message), flush=True)
    if not answered:
        reply = {"type": "stream", "to": message["display_recipient"], "subject": message["subject"]}
        answered.append(client.send_message({**reply, "content": f"received {message['id']}"}))


client.call_on_each_message(react)
