"""Calls a server with the client of openapi-python-client."""

import base64
import json
import os

from parley_client import AuthenticatedClient, Client
from parley_client.api.events import get_events, register_queue
from parley_client.api.messages import delete_message, get_messages, send_message
from parley_client.api.server import get_health
from parley_client.api.users import get_user
from parley_client.models import (
    BadRequestError,
    GetEventsAnswer,
    GetMessagesAnswer,
    GetUserAnswer,
    Health,
    MessageEvent,
    RegisterQueueAnswer,
    RegisterQueueBody,
    SendMessageAnswer,
    SendMessageBody,
    SendMessageBodyType,
)

url, login = os.environ["PARLEY_URL"], os.environ["PARLEY_LOGIN"]
topic, content = os.environ["PARLEY_TOPIC"], os.environ["PARLEY_CONTENT"]
client = AuthenticatedClient(
    base_url=url, token=base64.b64encode(login.encode()).decode(), prefix="Basic"
)

health = get_health.sync(client=Client(base_url=url))
assert isinstance(health, Health)
queue = register_queue.sync(
    client=client,
    body=RegisterQueueBody(
        apply_markdown=False,
        event_types=json.dumps(["message"]),
        narrow=json.dumps([["topic", topic]]),
    ),
)
assert isinstance(queue, RegisterQueueAnswer), queue
assert isinstance(queue.queue_id, str)
sent = send_message.sync(
    client=client,
    body=SendMessageBody(
        type_=SendMessageBodyType.CHANNEL, to="general", topic=topic, content=content
    ),
)
assert isinstance(sent, SendMessageAnswer), sent
found = get_messages.sync(
    client=client,
    anchor="newest",
    num_before=5,
    num_after=0,
    narrow=json.dumps([{"operator": "topic", "operand": topic}]),
    apply_markdown=False,
)
assert isinstance(found, GetMessagesAnswer), found
polled = get_events.sync(client=client, queue_id=queue.queue_id, last_event_id=-1)
assert isinstance(polled, GetEventsAnswer), polled
assert isinstance(polled.events, list)
person = get_user.sync(login.split(":")[0], client=client)
assert isinstance(person, GetUserAnswer), person
refused = delete_message.sync(2147483646, client=client)
assert isinstance(refused, BadRequestError), refused

print(
    json.dumps(
        {
            "health": health.status.value,
            "sent": sent.id,
            "found": [message.content for message in found.messages],
            "event": next(event.message.content for event in polled.events if isinstance(event, MessageEvent)),
            "role": person.user.role.value,
            "refused": refused.code,
        }
    )
)
