/** Areas of the API in the order of the contract, with the prefixes of their requirement ids. */
const areas: readonly (readonly [area: string, ...prefixes: string[]])[] = [
  ['What the service does', 'SCOPE'],
  ['Conventions', 'ENV', 'EMPTY'],
  ['Message', 'MSG-FIELD', 'MSG-HIST', 'SUBMSG'],
  ['Reaction', 'REACT-FIELD'],
  ['Subscription', 'SUB-FIELD'],
  ['Group-setting value, topic entry, attachment', 'GSV', 'TOPIC-ENTRY', 'ATTACH'],
  ['Draft', 'DRAFT-FIELD'],
  ['Presence entry', 'PRES-FIELD'],
  ['User roles', 'ROLE'],
  ['Custom profile field update', 'CPF'],
  ['Other records', 'REC'],
  ['States and transitions', 'STATE-TOPIC', 'STATE-DEL', 'STATE-USER', 'STATE-OTHER'],
  ['PATCH /messages/{message_id}', 'MSG-EDIT'],
  ['GET /events', 'EVENTS'],
  ['PATCH /users/{email}', 'USER-EMAIL'],
  ['PATCH /users/{user_id}', 'USER-UPD'],
  ['POST /users/me/presence', 'PRESENCE'],
  ['GET /messages/matches_narrow', 'NARROW'],
  ['GET /messages/{message_id}', 'MSG-GET'],
  ['PATCH /realm/user_settings_defaults', 'DEFAULTS', 'DEFAULTS-BOOL', 'DEFAULTS-INT', 'DEFAULTS-STR'],
  ['POST /streams/{stream_id}/delete_topic', 'DEL-TOPIC'],
  ['POST /drafts', 'DRAFT'],
  ['PATCH /users/me/subscriptions/{stream_id}', 'SUB'],
  ['PATCH /users/me/profile_data', 'PROFILE'],
  ['POST /mark_topic_as_read', 'READ'],
  ['POST /messages/{message_id}/reactions', 'REACT'],
  ['GET /users/me/{stream_id}/topics', 'TOPICS'],
  ['PATCH /saved_snippets/{saved_snippet_id}', 'SNIPPET'],
  ['POST /realm/playgrounds', 'PLAYGROUND'],
  ['POST /reminders', 'REMIND'],
  ['POST /users/me/android_push_reg_id', 'PUSH'],
  ['POST /export/realm', 'EXPORT'],
  ['POST /mobile_push/e2ee/test_notification', 'PUSHTEST'],
  ['GET /users/me/subscriptions', 'SUBS'],
  ['Other operations', 'REF'],
  ['Authentication', 'AUTH'],
  ['Events', 'EV', 'EV-ALERT', 'EV-SETTINGS', 'EV-REALMUSER', 'EV-SUBADD', 'EV-OTHER'],
  ['Errors', 'ERR', 'ERR-HTTP'],
  ['Limits', 'LIMIT'],
  ['Versioning', 'LEVEL'],
]

const areaOfPrefix = new Map(areas.flatMap(([area, ...prefixes]) => prefixes.map((prefix) => [prefix, area] as const)))

/** The area of a requirement id such as `MSG-FIELD-8`; undefined if it has none. */
export function areaOf(id: string): string | undefined {
  if (/^LEVEL-[A-Z]+$/.test(id)) return areaOfPrefix.get('LEVEL') // three changes without a level
  const [, prefix = ''] = /^([A-Z-]+)-\d+[a-z]?$/.exec(id) ?? []
  return areaOfPrefix.get(prefix)
}
