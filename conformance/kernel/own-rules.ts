/** Rules that checks verify besides requirements.yaml: promises of the contract as a document, worded for reports. */
export const ownRules: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'CONTRACT-ASKED': 'An event queue that was registered for types of events tells of no others.',
    'CONTRACT-AUDIENCE':
      'Nobody gets an event about a channel, a conversation or a message that is hidden from them, nor is told of it by POST /register.',
    'CONTRACT-DELIVERY':
      'An event queue delivers every event once, in the order in which it happened, and again until it is acknowledged.',
    'CONTRACT-HISTORY':
      'A message is the same in GET /messages as in its event, brought up to date by the events about it since.',
    'CONTRACT-STATE': 'What POST /register told, brought up to date by the events since, is what POST /register tells.',
    'CONTRACT-ANSWER': 'An answer has the shape that the contract describes for its operation and HTTP status.',
    'CONTRACT-CODE':
      'An operation refuses with the codes and HTTP statuses that the contract lists for it, each in its situation, and with no others.',
    'CONTRACT-EFFECT':
      'A request that succeeds does what the contract says of its operation, and shows it to those who may see it.',
    'CONTRACT-KEPT':
      'What a request has written is what every answer shows that was asked for afterwards, until something else is written.',
    'CONTRACT-ORDER':
      'Writes that arrive at the same time end as if they had come one after the other, and events tell that order.',
    'CONTRACT-CONSTANT':
      'When and by whom something was made, and for whom, never changes: every answer and event says the same of it.',
    'CONTRACT-TOLD': 'Whoever may hear of a change is told of it before anything that happened later.',
    'CONTRACT-FORBIDDEN':
      'Whoever acts on what belongs to others, or beyond their own rights, is refused, and nothing changes.',
    'CONTRACT-HIDDEN': 'What the caller may not see answers like what does not exist.',
    'CONTRACT-VIEWS': 'What two answers say of the same thing at the same time is the same.',
    'CONTRACT-PERMITTED':
      'A permission setting has at first the value, and takes the groups, that `server_supported_permission_settings` says.',
    'CONTRACT-TYPE': 'An answer has a content type that the contract lists for its operation and HTTP status.',
    'CONTRACT-FAILURE':
      'Nothing that a client sends makes the server fail: no answer has an HTTP status of 500 or above, but for the refusals with 502 that the contract lists.',
    'CONTRACT-RANGE':
      'A value beyond the bounds of a parameter is answered with `BAD_REQUEST` and a message that names it.',
    'CONTRACT-ROLE':
      'An operation refuses whoever has less than the role that the contract demands, and nobody else because of a role.',
    'CONTRACT-SUCCESS': 'A request that the contract allows succeeds.',
  }),
)

/** Rules of Parley's own document only: other servers are not checked against them. */
export const rulesOfParley: ReadonlySet<string> = new Set(['CONTRACT-RANGE', 'CONTRACT-TYPE'])
