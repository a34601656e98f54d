import { isDeepStrictEqual } from 'node:util'
import { FAR_AWAY } from '../../acts/scheduled-messages.ts'
import type { Account, Values } from '../../deployment/account.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { hasEmptyTopic, organizationOf } from '../../kernel/messaging.ts'
import { idOfNothing } from '../../provocations/provocation.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, type Json, listOf } from '../../wire/values.ts'
import { goes, type OwnKind, remove, rowIn, shownTo, typesOf } from '../own-things.ts'
import { soon } from '../reminders.ts'

const kind: OwnKind = { one: 'scheduled_message', all: 'scheduled_messages', id: 'scheduled_message_id' }
const operations = [
  ...['create-scheduled-message', 'get-scheduled-messages', 'update-scheduled-message', 'delete-scheduled-message'],
] as const

export const checks: readonly Check[] = [
  effect(
    operations,
    'scheduling, changing and deleting a message is announced to its sender’s clients',
    async (t, shows, { user, other, channel, topic }) => {
      const queue = await EventQueue.open(user, typesOf(kind))
      const content = t.unique('scheduled')
      const toChannel = { type: 'stream', to: channel.id, topic, content, scheduled_delivery_timestamp: FAR_AWAY + 1 }
      const made = await user.must('create-scheduled-message', toChannel)
      const { scheduled_message_id: id } = made.body
      if (!shows(made, Number.isInteger(id), 'an integer `scheduled_message_id`')) return
      await isTold(shows, user, queue, 'add', { scheduled_message_id: id, ...toChannel, failed: false })
      const toPeople = { type: 'direct', to: [other.userId], content: '*Hi.*', scheduled_delivery_timestamp: FAR_AWAY }
      const second = (await user.must('create-scheduled-message', toPeople)).body.scheduled_message_id
      const direct = { scheduled_message_id: second, ...toPeople, type: 'private', failed: false }
      await isTold(shows, user, queue, 'add', direct)
      const listed = await user.must('get-scheduled-messages')
      const order = idsIn(listed).filter((one) => one === id || one === second)
      shows(listed, order.join() === `${second},${id}`, `${second} before ${id}: by their times`)
      const place = { type: 'stream', to: channel.id, topic }
      const organization = await organizationOf(user)
      const { realm_empty_topic_display_name: nameOfNone } = organization.body
      const nameless = hasEmptyTopic(t, organization) ? [String(nameOfNone)] : []
      for (const [change, wanted] of [
        [{ content: '*Bye.*' }, { content: '*Bye.*', rendered_content: '<p><em>Bye.</em></p>' }],
        [{ scheduled_delivery_timestamp: FAR_AWAY + 7 }, { scheduled_delivery_timestamp: FAR_AWAY + 7 }],
        [place, place],
        [{ topic: 'another' }, { topic: 'another' }],
        ...nameless.map((topic) => [{ topic }, { topic: '' }] as const),
      ] as const) {
        const changed = await user.call('update-scheduled-message', { scheduled_message_id: second, ...change })
        shows(changed, changed.status === 200, 'a success: it is the caller’s')
        Object.assign(direct, wanted)
        await isTold(shows, user, queue, 'update', direct)
      }
      const still = await user.must('get-scheduled-messages')
      const first = rowIn(still, kind, id)
      shows(still, first?.content === content && first?.topic === topic, `${id} as it was`)
      const foreign = await other.must('get-scheduled-messages')
      shows(foreign, !idsIn(foreign).includes(id), 'none of somebody else')
      for (const [who, nothing] of [
        [other, id],
        [user, idOfNothing],
      ] as const) {
        const values = { scheduled_message_id: nothing, content: 'Of somebody else.' }
        for (const answer of [await who.call('update-scheduled-message', values), await remove(who, kind, nothing)]) {
          shows(answer, answer.status === 404, 'HTTP status 404: the caller has none with this ID')
        }
      }
      for (const one of [id, second]) await goes(t, shows, user, queue, kind, one)
    },
  ),
  {
    ...effectNamed(
      'effects/sent-at-its-time',
      'a scheduled message is sent at its time',
      async (t, shows, { user, other, channel, topic }) => {
        const own = await EventQueue.open(user, typesOf(kind))
        const queue = await listen(other, ['message'])
        const content = t.unique('sent at its time')
        const place = { type: 'stream', to: channel.id, topic }
        const values = { ...place, content, read_by_sender: true }
        const { at, answer } = await soon(t, user, 'create-scheduled-message', values)
        if (!shows(answer, answer.status === 200, 'a success')) return
        const isIt = (event: Json): boolean => String(event.message?.content).includes(content)
        const { event, exchange, lacked } = await queue.until(isIt)
        const { message } = (event ?? {}) as Json
        if (!shows(exchange, message !== undefined, `a message at ${at}; but ${lacked}`)) return
        const isRight =
          message.sender_id === user.userId && message.stream_id === channel.id && message.subject === topic
        shows(exchange, isRight, `a message of user ${user.userId} in channel ${channel.id}, ${topic}`)
        shows(exchange, message.timestamp >= at, `no earlier than ${at}`)
        const gone = await own.until({ type: kind.all, op: 'remove' })
        const isGone = gone.event?.scheduled_message_id === answer.body.scheduled_message_id
        shows(gone.exchange, isGone, `that it is scheduled no longer; but ${gone.lacked}`)
      },
      'create-scheduled-message',
    ),
    movesClock: true,
  },
  effectNamed(
    'effects/unschedulable',
    'a message that could not be sent cannot be scheduled',
    async (t, shows, { user, other, channel, topic }) => {
      const rest = { content: 'Not scheduled.', scheduled_delivery_timestamp: FAR_AWAY }
      const right = { type: 'stream', to: channel.id, topic, ...rest }
      const direct = { type: 'direct', to: [other.userId], ...rest }
      const { body } = await user.must('create-scheduled-message', direct)
      const before = idsIn(await user.must('get-scheduled-messages')).join()
      const past = 'Scheduled delivery time must be in the future.'
      const refusals: readonly (readonly [Values, string?])[] = [
        [{ ...right, scheduled_delivery_timestamp: 1_500_000_000 }, past],
        [{ ...right, to: [channel.id] }, 'Invalid data type for channel ID'],
        [{ ...right, topic: undefined }, 'Missing topic'],
        [{ ...right, to: idOfNothing }],
        [{ ...right, content: ' ' }, 'Message must not be empty'],
        [{ ...direct, to: other.userId }, 'Invalid data type for recipients'],
        [{ ...direct, to: [] }, 'Message must have recipients'],
        [{ ...direct, to: [idOfNothing] }, `Invalid user ID ${idOfNothing}`],
      ]
      const changes: readonly (readonly [Values, string?])[] = [
        [{}, 'Nothing to change'],
        [{ type: 'stream' }, 'Recipient required when updating type of scheduled message.'],
        [{ type: 'stream', to: channel.id }, 'Topic required when updating scheduled message type to channel.'],
        [{ scheduled_delivery_timestamp: 1_500_000_000 }, past],
      ]
      for (const [operation, values, msg] of [
        ...refusals.map(([values, msg]) => ['create-scheduled-message', values, msg] as const),
        ...changes.map(
          ([values, msg]) =>
            ['update-scheduled-message', { ...values, scheduled_message_id: body.scheduled_message_id }, msg] as const,
        ),
      ]) {
        const answer = await user.call(operation, values)
        const isSaid = msg === undefined || !t.isParley || answer.body?.msg === msg
        shows(answer, isRefused(answer) && isSaid, `a refusal${msg ? `, of Parley "${msg}"` : ''}`)
      }
      const after = await user.must('get-scheduled-messages')
      shows(after, idsIn(after).join() === before, 'those from before')
      await user.must('delete-scheduled-message', { scheduled_message_id: body.scheduled_message_id })
    },
    'create-scheduled-message',
  ),
]

function idsIn({ body }: Exchange): number[] {
  return listOf(body.scheduled_messages).map(({ scheduled_message_id }: Json) => scheduled_message_id)
}

/** Compares the next event, the list and a registration with `wanted`. */
async function isTold(
  shows: Shows,
  user: Account,
  queue: EventQueue,
  op: 'add' | 'update',
  wanted: Values & { readonly scheduled_message_id: number },
): Promise<void> {
  for (const [seen, [row]] of await shownTo(shows, user, queue, kind, op, [wanted.scheduled_message_id])) {
    const fields = Object.fromEntries(Object.keys(wanted).map((name) => [name, row?.[name]]))
    shows(seen, isDeepStrictEqual(fields, { ...wanted }), JSON.stringify(wanted))
  }
}
