import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase } from '../../server/testing.ts'
import {
  limitedParley,
  newChannel,
  newGuest,
  subscribe,
  unknownEntry,
  unsubscribe,
} from '../users/limited-visibility-testing.ts'

interface Heard {
  readonly type: string
  readonly op?: string
  // biome-ignore lint/suspicious/noExplicitAny: events of any type
  readonly [field: string]: any
}

/** Registers a queue with or without the capability `user_list_incomplete`. */
async function listening(client: ApiClient, isCapable = true, parameters: object = {}) {
  const queue = await client.must('POST', '/register', {
    fetch_event_types: [],
    client_capabilities: {
      notification_settings_null: true,
      stream_typing_notifications: true,
      simplified_presence_events: true,
      user_list_incomplete: isCapable,
    },
    ...parameters,
  })
  let { last_event_id } = queue
  const get = async (parameters: object): Promise<Heard[]> => {
    const { queue_id } = queue
    const { events } = await client.must('GET', '/events', { queue_id, last_event_id, ...parameters })
    last_event_id = events.at(-1)?.id ?? last_event_id
    return events
  }
  return { heard: () => get({ dont_block: true }), wait: () => get({}) }
}

const idOf = ({ userId }: ApiClient) => userId
const named = (events: readonly Heard[]) => events.map(({ type, op }) => (op ? `${type} ${op}` : type))
const about = (events: readonly Heard[], { userId }: ApiClient) =>
  events.filter(
    ({ person, user_id: id, presences = {} }) => [person?.user_id, id].includes(userId) || userId in presences,
  )

onEachDatabase('events of guests who do not see everybody', (dialect) => {
  const parley = limitedParley(dialect)

  test('people become visible before other events of a channel, and hidden after them, in parked polls too', async () => {
    const server = await parley()
    const [guest, comer] = [await newGuest(server), await server.newUser()]
    await comer.must('POST', '/users/me/status', { status_text: 'Here' })
    const channel = await newChannel(server, [guest])
    const other = await newChannel(server, [guest])
    const { heard, wait } = await listening(guest)
    const parked = wait()
    await subscribe(server, channel, [comer])
    const came = [...(await parked), ...(await heard())].filter(({ type }) => type !== 'message')
    assert.deepEqual(named(came), ['realm_user add', 'user_status', 'subscription peer_add'])
    assert.deepEqual([came[0]?.person.user_id, came[0]?.person.email], [comer.userId, comer.email])
    await subscribe(server, other, [comer])
    await unsubscribe(server, channel, [comer])
    assert.deepEqual(named(await heard()), ['subscription peer_add', 'subscription peer_remove'], 'one is left')
    const parkedAgain = wait()
    await unsubscribe(server, other, [comer])
    const went = [...(await parkedAgain), ...(await heard())]
    assert.deepEqual(named(went), ['subscription peer_remove', 'realm_user remove'])
    assert.deepEqual(went[1]?.person, { user_id: comer.userId, full_name: 'Unknown user' })
  })

  test('a client that lists unknown people has an entry without data for each, at first and again', async () => {
    const server = await parley()
    const guest = await newGuest(server)
    const [capable, other] = [await listening(guest), await listening(guest, false)]
    const stranger = await server.newUser(server.unique('Stranger'))
    assert.deepEqual(about(await capable.heard(), stranger), [])
    const channel = await newChannel(server, [guest])
    await subscribe(server, channel, [stranger])
    await unsubscribe(server, channel, [stranger])
    const told = about(await other.heard(), stranger).filter(({ type }) => type === 'realm_user')
    assert.deepEqual(
      told.map(({ op }) => op),
      ['add', 'add', 'remove', 'add'],
    )
    for (const index of [0, 3]) {
      const { avatar_url: _, profile_data: __, ...person } = told[index]?.person ?? {}
      assert.deepEqual(person, unknownEntry(server, stranger))
    }
  })

  test('a new subscriber sees the others, and a former one does not', async () => {
    const server = await parley()
    const guest = await newGuest(server)
    const [one, two] = [await server.newUser(), await server.newUser()]
    const channel = await newChannel(server, [one, two])
    const { heard } = await listening(guest, true, { event_types: ['realm_user', 'subscription', 'stream'] })
    await subscribe(server, channel, [guest])
    const came = await heard()
    assert.deepEqual(named(came), ['realm_user add', 'realm_user add', 'stream create', 'subscription add'])
    assert.deepEqual(
      came.slice(0, 2).map(({ person }) => person.user_id),
      [one.userId, two.userId],
    )
    await guest.must('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
    const went = await heard()
    assert.deepEqual(named(went).slice(-2), ['realm_user remove', 'realm_user remove'])
  })

  test('a direct message makes its participants visible permanently', async () => {
    const server = await parley()
    const guest = await newGuest(server)
    const [one, two] = [await server.newUser(), await server.newUser()]
    const { heard } = await listening(guest)
    await one.send([guest, two])
    assert.deepEqual(named(await heard()), ['realm_user add', 'realm_user add', 'message'])
    await two.send([guest])
    assert.deepEqual(named(await heard()), ['message'])
  })

  test('a role makes everybody visible or hidden (DIFF-SIGHT-BY-ROLE)', async () => {
    const server = await parley()
    const [guest, stranger] = [await newGuest(server), await server.newUser(server.unique('Stranger'))]
    const { heard } = await listening(guest, true, { event_types: ['realm_user'] })
    const owner = server.as('owner')
    await owner.must('PATCH', `/users/${guest.userId}`, { role: 400 })
    const came = await heard()
    assert.deepEqual(named(about(came, stranger)), ['realm_user add'])
    assert.equal(about(came, stranger)[0]?.person.email, stranger.email)
    await owner.must('PATCH', `/users/${guest.userId}`, { role: 600 })
    assert.deepEqual(named(about(await heard(), stranger)), ['realm_user remove'])
    assert.deepEqual(about(await heard(), server.as('bot')), [])
  })

  test('a hidden user changes nothing in events, except IDs of group members (SEC-SIGHT-1)', async () => {
    const server = await parley()
    const [guest, stranger, owner] = [
      await newGuest(server),
      await server.newUser(server.unique('Stranger')),
      server.as('owner'),
    ]
    const path = `/users/${stranger.userId}`
    const told = async () => {
      const answers: unknown[] = []
      for (const user_list_incomplete of [true, false]) {
        for (const slim_presence of [true, false]) {
          const client_capabilities = { notification_settings_null: true, user_list_incomplete }
          const registration = { client_capabilities, include_subscribers: 'true', slim_presence }
          const { queue_id, last_event_id, server_timestamp, realm_user_groups, ...state } = await guest.must(
            ...(['POST', '/register', registration] as const),
          )
          answers.push(state)
        }
      }
      const { presences } = await guest.must('GET', '/realm/presence')
      return [answers, presences, (await guest.must('GET', '/users')).members]
    }
    const before = await told()
    const queues = [await listening(guest), await listening(guest, false)]
    for (const role of [300, 400]) await owner.must('PATCH', path, { role, full_name: server.unique('Renamed') })
    await stranger.must('POST', '/users/me/status', { status_text: 'Here', emoji_name: 'tada' })
    await stranger.must('POST', '/users/me/presence', { status: 'active' })
    for (const email_address_visibility of [4, 1]) {
      await stranger.must('PATCH', '/settings', { timezone: 'Asia/Tokyo', email_address_visibility })
    }
    await owner.must('DELETE', path)
    await owner.must('POST', `${path}/reactivate`)
    await owner.send([stranger])
    assert.deepEqual(await told(), before)
    for (const { heard } of queues) {
      assert.deepEqual(
        (await heard()).filter(({ type }) => type !== 'user_group'),
        [],
      )
    }
  })

  test('messages, reactions and typing of a hidden user have the ID only, with narrows of queues too', async () => {
    const server = await parley()
    const [guest, known] = [await newGuest(server), await server.newUser()]
    const stranger = await server.newUser(server.unique('Stranger'))
    const channel = await newChannel(server, [guest, known])
    const { stream_id } = await guest.must('GET', '/get_stream_id', { stream: channel })
    const [queue, probe] = [
      await listening(guest),
      await listening(guest, true, { narrow: [['sender', stranger.email]], event_types: ['message'] }),
    ]
    const id = await stranger.send(channel)
    await stranger.must('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await stranger.must('POST', '/typing', { type: 'stream', op: 'start', stream_id, topic: 'sight' })
    const events = await queue.heard()
    assert.deepEqual(named(events), ['message', 'reaction add', 'typing start'])
    const [message, reaction, typing] = events
    const { email, full_name, user_id } = unknownEntry(server, stranger)
    assert.deepEqual([message?.message.sender_email, message?.message.sender_full_name], [email, full_name])
    assert.deepEqual(reaction?.user, { user_id, email, full_name })
    assert.deepEqual(typing?.sender, { user_id, email })
    assert.doesNotMatch(JSON.stringify(events), new RegExp(`${stranger.email}|Stranger`))
    assert.deepEqual(await probe.heard(), [])
    await known.send(channel)
    assert.equal((await queue.heard())[0]?.message.sender_email, known.email)
  })

  test('nobody is seen typing a direct message before a conversation exists', async () => {
    const server = await parley()
    const [guest, stranger] = [await newGuest(server), await server.newUser(server.unique('Stranger'))]
    const member = await server.newUser()
    const [queue, ofMember] = [await listening(guest), await listening(member)]
    const type = () => stranger.must('POST', '/typing', { type: 'direct', op: 'start', to: [guest, member].map(idOf) })
    await type()
    assert.deepEqual(await queue.heard(), [])
    assert.deepEqual(named(await ofMember.heard()), ['typing start'])
    await stranger.send([guest, member])
    await type()
    const events = await queue.heard()
    assert.deepEqual(named(events).slice(-2), ['message', 'typing start'])
    assert.equal(events.at(-1)?.sender.email, stranger.email)
  })

  test('changing the setting sends its event only', async () => {
    const server = await parley()
    const guest = await newGuest(server)
    const { heard } = await listening(guest)
    const set = (group: number) =>
      server.as('owner').must('PATCH', '/realm', { can_access_all_users_group: { new: group } })
    await set(7)
    await set(6)
    assert.deepEqual(named(await heard()), ['realm update_dict', 'realm update_dict'])
  })
})
