import type { Fault, SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'
import { ofEvent, ofEvents } from './events-testing.ts'

/** Whoever changes is a user of the check's own. */
const needsUsers = true

/** What every change of a user tells is wrong in this way. */
function wrong(name: string, only: string, violates: readonly string[], change: (person: Json) => void): SeededFault {
  const fault = ofEvent('realm_user', ({ person }) => change(person))
  return { name, only: `user-events/${only}`, violates, needsUsers, fault }
}

function without(field: string, only: string, ...violates: readonly string[]): SeededFault {
  return wrong(`change of a user without ${field}`, only, violates, (person) => {
    delete person[field]
  })
}

function other(field: string, value: unknown, only: string, violates: string): SeededFault {
  return wrong(`change of a user to ${field} ${JSON.stringify(value)}`, only, [violates], (person) => {
    if (field in person) person[field] = value
  })
}

function wrongPresence(name: string, violates: string, change: (event: Json) => void): SeededFault {
  return { name, only: 'user-events/presence', violates: [violates], needsUsers, fault: ofEvent('presence', change) }
}

export const faults: readonly SeededFault[] = [
  without('timezone', 'profile', 'EV-REALMUSER-1'),
  wrong('change of a user in a form of its own', 'profile', ['EV-REALMUSER-3'], (person) => {
    if ('full_name' in person) person.delivery_email = null
  }),
  wrong('change of a user by number in words', 'profile', ['EV-REALMUSER-4'], (person) => {
    person.user_id = String(person.user_id)
  }),
  other('full_name', 'Somebody', 'profile', 'EV-REALMUSER-5'),
  other('timezone', 'Japan Time', 'profile', 'EV-REALMUSER-10'),
  without('email', 'profile', 'EV-REALMUSER-11'),
  other('avatar_url', null, 'address', 'EV-REALMUSER-6'),
  without('avatar_url_medium', 'address', 'EV-REALMUSER-7'),
  {
    name: 'picture left to clients that compute it',
    only: 'user-events/address',
    violates: ['EV-REALMUSER-6', 'EV-REALMUSER-7'],
    needsUsers,
    fault: pictureWithheld(),
  },
  wrong('end of an account by number in words', 'account', ['EV-REALMUSER-4'], (person) => {
    if ('is_active' in person) person.user_id = String(person.user_id)
  }),
  other('avatar_source', 'X', 'address', 'EV-REALMUSER-8'),
  other('avatar_version', 1, 'address', 'EV-REALMUSER-9'),
  other('delivery_email', null, 'address', 'EV-REALMUSER-14'),
  other('delivery_email', 'somebody@example.com', 'hidden-address', 'EV-REALMUSER-15'),
  other('new_email', 'somebody@example.com', 'address', 'EV-REALMUSER-19'),
  other('role', 400, 'account', 'EV-REALMUSER-13'),
  wrong('account that never ends', 'account', ['EV-REALMUSER-20'], (person) => {
    if (person.is_active === false) person.is_active = true
  }),
  wrong('account that never returns', 'account', ['EV-REALMUSER-21'], (person) => {
    if (person.is_active === true) person.is_active = false
  }),
  {
    name: 'user removed and added',
    only: 'user-events/account',
    violates: ['LEVEL-222'],
    needsUsers,
    fault: ofEvents(({ body }) => {
      body.events = body.events.flatMap((event: Json) =>
        event.person?.is_active === undefined
          ? [event]
          : [{ ...event, op: event.person.is_active ? 'add' : 'remove' }, event],
      )
    }),
  },
  wrongPresence('presence of somebody else', 'EV-OTHER-4', (event) => {
    event.presences = {}
    event.user_id = 0
  }),
  wrongPresence('presence in the older form for everybody', 'EV-OTHER-9', (event) => {
    if (event.presences) event.presences = Object.fromEntries(Object.keys(event.presences).map((id) => [id, {}]))
  }),
  wrongPresence('address in the slim form', 'EV-OTHER-9', (event) => {
    event.email = 'somebody@example.com'
  }),
]

/** Event queues that were made with `client_gravatar` are told of no picture. */
function pictureWithheld(): Fault {
  const queues = new Set<unknown>()
  return ({ body }, { path, parameters }) => {
    if (path === '/register' && parameters.get('client_gravatar') === 'true') queues.add(body?.queue_id)
    if (path !== '/events' || !queues.has(parameters.get('queue_id'))) return
    for (const { person } of body?.events ?? []) {
      if (person?.avatar_source !== undefined) Object.assign(person, { avatar_url: null, avatar_url_medium: null })
    }
  }
}
