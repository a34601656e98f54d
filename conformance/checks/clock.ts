import type { Account } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { effectNamed } from '../kernel/effect.ts'
import { organizationOf, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { refuses, succeeds } from './outcomes.ts'
import { daySeconds, entryOf, report } from './presence.ts'

/** After this many seconds without a poll no server keeps an event queue. */
const abandoned = 2 * 3600

export const checks: readonly WrittenCheck[] = [
  {
    id: 'events/abandoned',
    title: 'an event queue expires if it is not polled for hours',
    requirements: ['EVENTS-13'],
    movesClock: true,
    async run(t) {
      const { standIn } = t
      const { user } = await t.scene()
      const queue = await EventQueue.open(user, { event_types: ['message'] })
      await standIn.advance(abandoned * 1000)
      const exchange = await user.call('get-events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
      const { status, body } = exchange
      const isBad = status === 400 && body?.code === 'BAD_EVENT_QUEUE_ID' && body.queue_id === queue.id
      t.that('EVENTS-13', exchange, isBad, `HTTP 400, BAD_EVENT_QUEUE_ID and \`queue_id\` "${queue.id}"`)
    },
  },
  {
    id: 'presence/aged',
    title: 'presence covers as many days as the request asks for, including people who were last active long ago',
    requirements: [...ids('PRESENCE', [10, 11, 12]), 'PRES-FIELD-8'],
    also: ['register-queue'],
    movesClock: true,
    async run(t) {
      const { standIn } = t
      const [reader, ancient, recent] = [await t.user(), await t.user(), await t.user()]
      // Takes update id 1, the first on a new server, because nobody asks for updates above 0.
      await report(reader, { status: 'active', ping_only: true })
      await report(ancient, { status: 'active', ping_only: true })
      await standIn.advance(12 * daySeconds * 1000)
      await report(recent, { status: 'active', ping_only: true })
      await standIn.advance(3 * daySeconds * 1000)
      const ask = (last_update_id?: number, history_limit_days?: number): Promise<Exchange> =>
        report(reader, { status: 'active', slim_presence: true, last_update_id, history_limit_days })
      const holds = (id: string, exchange: Exchange, people: readonly Account[]): void => {
        for (const person of [ancient, recent]) {
          const isMeant = people.includes(person)
          const days = person === ancient ? 15 : 3
          const says = `${isMeant ? 'user' : 'no user'} ${person.userId}, who was here ${days} days ago`
          t.that(id, exchange, (entryOf(exchange, person) !== undefined) === isMeant, says)
        }
      }
      holds('PRESENCE-10', await ask(-1, 1), [])
      holds('PRESENCE-10', await ask(-1, 7), [recent])
      for (const from of [-1, undefined]) holds('PRESENCE-10', await ask(from, 30), [ancient, recent])
      const values = { event_types: ['presence'], slim_presence: true, presence_history_limit_days: 30 }
      holds('register-queue', await reader.must('register-queue', values), [ancient, recent])
      holds('PRESENCE-11', await ask(-1), [recent])
      holds('PRESENCE-12', await ask(1, 1), [ancient, recent])
      await report(ancient, { status: 'idle', ping_only: true })
      const { email } = (await reader.must('get-user', { user_id_or_email: ancient.userId })).body.user
      const legacy = await report(reader, { status: 'active' })
      const isIdle = legacy.body.presences[email]?.aggregated?.status === 'idle'
      t.that('PRES-FIELD-8', legacy, isIdle, `\`status\` of user ${ancient.userId}, who reported last, is "idle"`)
    },
  },
  {
    ...effectNamed(
      'effects/update-stream/retention',
      'a channel keeps its messages for its number of retention days',
      async (t, shows) => {
        const { standIn } = t
        const { user, channel: other } = await t.scene()
        const owner = t.person('owner')
        const channel = await t.channel(user, [owner])
        const days = 2
        const set = await owner.call('update-stream', { stream_id: channel.id, message_retention_days: days })
        if (!shows(set, set.status === 200, 'a success of an owner')) return
        const [old, kept] = [await post(user, channel, 'old', 'Goes.'), await post(user, other, 'kept', 'Stays.')]
        await standIn.advance((days - 1) * daySeconds * 1000)
        succeeds(shows, await user.call('get-message', { message_id: old }), `message ${old} is a day old`)
        const young = await post(user, channel, 'young', 'Stays for now.')
        await standIn.advance(1.5 * daySeconds * 1000)
        refuses(shows, await user.call('get-message', { message_id: old }), `message ${old} is older than ${days} days`)
        succeeds(shows, await user.call('get-message', { message_id: young }), `message ${young} is younger than that`)
        const organization = await organizationOf(user)
        if (organization.body.realm_message_retention_days !== -1) return
        succeeds(shows, await user.call('get-message', { message_id: kept }), `channel ${other.id} keeps its messages`)
      },
    ),
    movesClock: true,
  },
]
