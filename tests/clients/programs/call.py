"""Makes the calls that standard input lists, one JSON array [method, positional, named] a line, with the unmodified
`zulip` package and the zuliprc named by the first argument, and prints each answer as one line of JSON."""

import json
import sys

import zulip

client = zulip.Client(config_file=sys.argv[1])
greeting = {
    "feature_level": client.feature_level,
    "zulip_version": client.zulip_version,
    "methods": [name for name in dir(zulip.Client) if not name.startswith("_") and callable(getattr(zulip.Client, name))],
}
print(json.dumps(greeting), flush=True)
for line in sys.stdin:
    method, positional, named = json.loads(line)
    print(json.dumps(getattr(client, method)(*positional, **named)), flush=True)
