/** Rules that checks verify besides requirements.yaml: promises of the contract as a document, worded for reports. */
export const ownRules: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'CONTRACT-ASKED': 'An event queue that was registered for types of events tells of no others.',
    'CONTRACT-AUDIENCE':
      'Nobody gets an event about a channel, a conversation or a message that is hidden from them, nor is told of it by POST /register.',
    'CONTRACT-DELIVERY':
      'An event queue delivers every event once, in the order in which it happened, and again until it is acknowledged.',
    'CONTRACT-HISTORY': 'A message in GET /messages equals its event, updated by later events about it.',
    'CONTRACT-STATE': 'An earlier result of POST /register, updated by later events, equals a new one.',
    'CONTRACT-ANSWER': 'An answer has the shape that the contract describes for its operation and HTTP status.',
    'CONTRACT-CODE':
      'An operation refuses with the codes and HTTP statuses that the contract lists for it, each in its situation, and with no others.',
    'CONTRACT-EFFECT':
      'A successful request does what the contract says about its operation, and the effect is visible to those who may see it.',
    'CONTRACT-KEPT': 'Every later answer shows what a request has written, until another request changes it.',
    'CONTRACT-ORDER':
      'Simultaneous writes end as if they had been made one after the other, and events have the same order.',
    'CONTRACT-CONSTANT':
      'The time, author and recipients of something never change: they are the same in every answer and event.',
    'CONTRACT-TOLD': 'Everybody who may know of a change receives its event before those of later changes.',
    'CONTRACT-FORBIDDEN':
      'A request that exceeds the rights of the caller, or concerns things of others, is refused, and nothing changes.',
    'CONTRACT-HIDDEN': 'Something that the caller may not see is answered like something that does not exist.',
    'CONTRACT-VIEWS': 'Two answers about the same thing at the same time agree.',
    'CONTRACT-PERMITTED':
      'A permission setting has the default value, and accepts the groups, that `server_supported_permission_settings` describes.',
    'CONTRACT-TYPE': 'An answer has a content type that the contract lists for its operation and HTTP status.',
    'CONTRACT-FAILURE':
      'Nothing that a client sends makes the server fail: no answer has an HTTP status of 500 or above, except for the refusals with 502 that the contract lists.',
    'CONTRACT-RANGE':
      'A value beyond the bounds of a parameter is answered with `BAD_REQUEST` and a message that names it.',
    'CONTRACT-ROLE':
      'An operation refuses callers with a lower role than the contract requires, and nobody else because of a role.',
    'CONTRACT-SUCCESS': 'A request that the contract allows succeeds.',
  }),
)

/** Rules of Parley's own document only: other servers are not checked against them. */
export const rulesOfParley: ReadonlySet<string> = new Set(['CONTRACT-RANGE', 'CONTRACT-TYPE'])
