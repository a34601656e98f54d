import type { Json } from '../wire/values.ts'
import { lists, memberThing, things } from './writes.ts'

/** What an event tells its listener: a thing is now this. */
export type Telling = readonly [thing: string, value: unknown]

/** The type of the events that tell of a thing; undefined when none is sure to. */
export function eventTypeOf(thing: string): string | undefined {
  if (/ of user \d+ for channel /.test(thing)) return 'subscription'
  return typesOfThings.find(([start]) => thing.startsWith(start))?.[1]
}

const typesOfThings = [
  ['content of message ', 'update_message'],
  ['existence of message ', 'delete_message'],
  ['reactions to message ', 'reaction'],
  ['starred messages of ', 'update_message_flags'],
  ['full name of user ', 'realm_user'],
  ['role of user ', 'realm_user'],
  ['activity of user ', 'realm_user'],
  ['status text of user ', 'user_status'],
  ['status emoji of user ', 'user_status'],
  ['setting ', 'user_settings'],
  ['alert words of user ', 'alert_words'],
  ['muted users of user ', 'muted_users'],
  ['subscriptions of user ', 'subscription'],
] as const

/** @param members names that were ever written of a list */
export function tellingsOf(event: Json, listener: number, members: (list: string) => Iterable<string>): Telling[] {
  switch (event.type) {
    case 'update_message':
      return typeof event.content === 'string' ? [[things.content(event.message_id), event.content]] : []
    case 'delete_message':
      return list(event.message_ids ?? [event.message_id]).map((id) => [things.existence(id), false])
    case 'reaction':
      return [
        [
          memberThing(lists.reactions(event.message_id), `${event.user_id ?? event.user?.user_id} ${event.emoji_name}`),
          event.op === 'add',
        ],
      ]
    case 'update_message_flags':
      if (event.flag !== 'starred') return []
      return list(event.messages).map((id) => [memberThing(lists.stars(listener), String(id)), event.op === 'add'])
    case 'realm_user':
      if (event.op === 'update') return ofPerson(event.person ?? {})
      return [[things.isActive(event.person?.user_id), event.op === 'add']]
    case 'user_status':
      return [
        ...(event.status_text === undefined ? [] : [[things.statusText(event.user_id), event.status_text] as const]),
        ...(event.emoji_name === undefined ? [] : [[things.statusEmoji(event.user_id), event.emoji_name] as const]),
      ]
    case 'user_settings':
      return [[things.setting(listener, event.property), event.value]]
    case 'alert_words':
      return whole(lists.alertWords(listener), event.alert_words, members, (word) => String(word).toLowerCase())
    case 'muted_users':
      return whole(lists.mutedUsers(listener), event.muted_users, members, (one) => String(one?.id))
    case 'subscription':
      if (event.op === 'update') return [[things.ownField(listener, event.stream_id, event.property), event.value]]
      if (event.op !== 'add' && event.op !== 'remove') return []
      return list(event.subscriptions).map(({ name }) => [
        memberThing(lists.subscriptions(listener), String(name).toLowerCase()),
        event.op === 'add',
      ])
    default:
      return []
  }
}

function ofPerson(person: Json): Telling[] {
  return [
    ...(person.full_name === undefined ? [] : [[things.fullName(person.user_id), person.full_name] as const]),
    ...(person.role === undefined ? [] : [[things.role(person.user_id), person.role] as const]),
    ...(person.is_active === undefined ? [] : [[things.isActive(person.user_id), person.is_active] as const]),
  ]
}

/** An event that has the list as it is now tells of each member whether it is in. */
function whole(
  name: string,
  value: Json,
  members: (list: string) => Iterable<string>,
  keyOf: (one: Json) => string,
): Telling[] {
  const keys = new Set(list(value).map(keyOf))
  return [...members(name)].map((member) => [memberThing(name, member), keys.has(member)])
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : []
}
