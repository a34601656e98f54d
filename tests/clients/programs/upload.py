"""Uploads the file named by the second argument with the zuliprc named by the first, and prints the answer as JSON."""

import json
import sys

import zulip

client = zulip.Client(config_file=sys.argv[1])
with open(sys.argv[2], "rb") as file:
    print(json.dumps(client.upload_file(file)), flush=True)
