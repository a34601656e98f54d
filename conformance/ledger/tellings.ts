import { type Json, listOf } from '../wire/values.ts'
import { type List, lists, memberOf, type Thing, things } from './things.ts'

/** What an event tells its listener: a thing now has this value. */
export type Telling = readonly [thing: Thing, value: unknown]

/** @param members names ever written to a list */
export function tellingsOf(event: Json, listener: number, members: (list: List) => Iterable<string>): Telling[] {
  switch (event.type) {
    case 'update_message':
      return typeof event.content === 'string' ? [[things.content(event.message_id), event.content]] : []
    case 'delete_message':
      return listOf(event.message_ids ?? [event.message_id]).map((id) => [things.existence(id), false])
    case 'reaction':
      return [
        [
          memberOf(lists.reactions(event.message_id), `${event.user_id ?? event.user?.user_id} ${event.emoji_name}`),
          event.op === 'add',
        ],
      ]
    case 'update_message_flags':
      if (event.flag !== 'starred') return []
      return listOf(event.messages).map((id) => [memberOf(lists.stars(listener), id), event.op === 'add'])
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
      return listOf(event.subscriptions).map(({ name }) => [
        memberOf(lists.subscriptions(listener), String(name).toLowerCase()),
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

/** An event with the whole list tells for each member whether it is in it. */
function whole(
  list: List,
  value: Json,
  members: (list: List) => Iterable<string>,
  keyOf: (one: Json) => string,
): Telling[] {
  const keys = new Set(listOf(value).map(keyOf))
  return [...members(list)].map((member) => [memberOf(list, member), keys.has(member)])
}
