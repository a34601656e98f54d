import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { StandIn } from '../deployment/stand-in.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { post } from '../kernel/messaging.ts'
import { peopleOfRoles } from '../kernel/people-of-roles.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isRefused } from '../wire/values.ts'

const fewMinutesMs = 240_000
/** Seconds by which the clock moves at a time. */
const stepSeconds = 5
/** Maximum time above that of an ordinary answer on a busy server; a waiting poll takes much longer. */
const atOnceMs = 2000

export const checks: readonly WrittenCheck[] = [
  {
    id: 'events/poll',
    title: 'an event queue delivers events, removes acknowledged ones, and waits for new ones',
    requirements: [...ids('EVENTS', [2, 3, 4, 5, 6, 7, 8, 9]), ...ids('EV', [1, 2, 4])],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const ofChannel = [['stream', channel.name]] // no other messages in between
      const queue = await EventQueue.open(reader, { event_types: ['message'], narrow: ofChannel })
      const start = Number(queue.registered.body.last_event_id)
      const empty = await quickest(() => queue.peek(start))
      t.that('EVENTS-7', empty, Array.isArray(empty.body.events) && empty.body.events.length === 0, '`events` is empty')
      const isAtOnce = msOf(empty) <= atOnceMs + msOf(queue.registered)
      t.that('EVENTS-7', empty, isAtOnce, `an answer at once; the quickest of three took ${Math.round(msOf(empty))} ms`)
      const messageIds: number[] = []
      for (const content of ['One.', 'Two.', 'Three.']) messageIds.push(await post(author, channel, 'events', content))
      const all = await queue.peek(start)
      const events: readonly Event[] = all.body.events
      if (!t.that('EVENTS-5', all, Array.isArray(events) && events.length === 3, '`events` has three objects')) return
      const tellsAll = events.map(({ message }) => message?.id).join() === messageIds.join()
      t.that('EV-1', all, tellsAll, `the events of the messages ${messageIds.join(', ')}`)
      const eventIds = events.map(({ id }) => id)
      t.that('EV-2', all, eventIds.every(Number.isInteger), 'each `id` is an integer')
      t.that(
        'EV-4',
        all,
        events.every(({ type }) => type === 'message'),
        'each `type` is "message"',
      )
      t.that('EVENTS-6', all, eventIds[0] < eventIds[1] && eventIds[1] < eventIds[2], 'the `id`s rise')
      const isNamed = all.body.queue_id === queue.id
      const name = `\`queue_id\` is "${queue.id}"`
      t.thatOrDeviates('NOTE-40', 'EVENTS-8', all, isNamed, name, all.body.queue_id === undefined)
      const rest = await queue.peek(eventIds[1])
      const onlyLast = rest.body.events.length === 1 && rest.body.events[0].id === eventIds[2]
      t.that('EVENTS-2', rest, onlyLast, `only the event ${eventIds[2]}, because ${eventIds[1]} was named`)
      const later = await queue.peek(eventIds[1])
      const staysGone = later.body.events.every(({ id }: { id: number }) => id > eventIds[1])
      t.that('EVENTS-3', later, staysGone, `no event up to ${eventIds[1]}, which is acknowledged`)
      const [waited, sent] = await Promise.all([
        reader.must('get-events', { queue_id: queue.id, last_event_id: eventIds[2] }),
        post(author, channel, 'events', 'Four.'),
      ])
      // Without `last_event_id` a request also waits, if the server allows it.
      const fresh = await EventQueue.open(reader, { event_types: ['message'], narrow: ofChannel })
      const [first] = await Promise.all([
        reader.call('get-events', { queue_id: fresh.id }),
        post(author, channel, 'events', 'Five.'),
      ])
      if (first.status === 200) t.that('EVENTS-4', first, first.body.events.length > 0, 'an answer that waited')
      const whole = await reader.call('get-events', { queue_id: queue.id, dont_block: true })
      if (whole.status !== 200) t.deviates('NOTE-2', whole, 'an answer, also without `last_event_id`')
      else t.that('EVENTS-2', whole, whole.body.events.length === 2, 'the events that were not acknowledged yet')
      const quiet = await EventQueue.open(reader, { event_types: ['message'], narrow: ofChannel })
      const nothing = await reader.call('get-events', { queue_id: quiet.id, dont_block: true })
      if (nothing.status === 200) t.that('EVENTS-7', nothing, nothing.body.events.length === 0, 'no event, at once')
      const [event] = waited.body.events
      t.that('EVENTS-4', waited, event !== undefined, 'an answer that waited for an event')
      t.that('EVENTS-9', waited, event?.message?.id === sent, `the event of message ${sent}`)
    },
  },
  {
    id: 'events/heartbeat',
    title: 'a poll without events is answered with a heartbeat in time',
    requirements: ['EVENTS-10', 'EVENTS-11', 'CONTRACT-KEPT'],
    waitsMs: 60_000,
    movesClock: true,
    async run(t) {
      const reader = await t.user()
      // Heartbeats cannot be selected by type, and nobody writes to this topic.
      const nowhere = [['topic', t.unique('heartbeat')]]
      const wanted = { event_types: ['message'], narrow: nowhere, fetch_event_types: ['realm'] }
      const queue = await EventQueue.open(reader, wanted)
      // No other check takes as long, so this one shows whether lists stay, unless others use the same person.
      const [title, isOwn] = [t.unique('kept'), t.deployment.noUsers === undefined]
      const lists = ['get-drafts', 'get-saved-snippets'].slice(0, isOwn ? (t.level < 368 ? 1 : 2) : 0)
      const drafts = [{ type: '', to: [], topic: '', content: title }]
      if (lists.length > 0) await reader.must('create-drafts', { drafts })
      if (lists.length > 1) await reader.must('create-saved-snippet', { title, content: title })
      const { waited, seconds } = await (t.deployment.standIn
        ? pollAhead(queue, t.deployment.standIn)
        : pollInVain(queue))
      const exchange = waited ?? queue.inVain
      const events: readonly Event[] = waited?.body.events ?? []
      const isHeartbeat = events.length === 1 && events[0]?.type === 'heartbeat' && Number.isInteger(events[0].id)
      const says = `an event with \`id\` and \`type\` "heartbeat"; it was waited for ${Math.round(seconds)} s`
      if (!t.that('EVENTS-10', exchange, isHeartbeat, says)) return
      const { event_queue_longpoll_timeout_seconds: timeout } = queue.registered.body
      const isLonger = Number.isInteger(timeout) && timeout > seconds
      const longer = `\`event_queue_longpoll_timeout_seconds\` is an integer above ${seconds.toFixed(1)}`
      t.that('EVENTS-11', queue.registered, isLonger, longer)
      for (const operation of lists) {
        const list = await reader.must(operation)
        t.that('CONTRACT-KEPT', list, list.text.includes(title), `"${title}", from before the waiting`)
      }
    },
  },
  {
    id: 'events/registered-by-asking',
    title: 'GET /events with the parameters of registration registers an event queue',
    requirements: ['EVENTS-12'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const elsewhere = [await t.channel(author, [reader]), await t.channel(author)]
      const usual = { event_types: ['message'], client_gravatar: true }
      const narrow = [['stream', channel.name]]
      for (const values of [
        { ...usual, narrow },
        { ...usual, narrow, apply_markdown: true },
        { ...usual, client_gravatar: false },
        { apply_markdown: false, client_gravatar: false },
        { ...usual, all_public_streams: true },
        { ...usual, narrow: [...narrow, ['topic', 'events']], all_public_streams: true },
        { ...usual, event_types: ['reaction', 'message'], narrow },
        { client_gravatar: true, narrow },
      ]) {
        const made = await reader.call('get-events', { ...values, dont_block: true })
        const queueId: unknown = made.body?.queue_id
        const isMade = made.status === 200 && typeof queueId === 'string' && queueId !== ''
        if (!t.that('EVENTS-12', made, isMade, '`queue_id` of a new event queue')) return
        const [registered, asked] = [await EventQueue.open(reader, values), new EventQueue(reader, made)]
        const ours: number[] = []
        for (const one of elsewhere) ours.push(await post(author, one, 'events', 'For the **other** channels.'))
        const other = await post(author, channel, 'other', 'For the **other** topic.')
        await author.must('add-reaction', { message_id: other, emoji_name: 'octopus' })
        const id = await post(author, channel, 'events', 'For a queue that **asked**.')
        ours.push(other, id)
        const known = await registered.until(({ message }) => message?.id === id)
        const { event, events, exchange, lacked } = await asked.until(({ message }) => message?.id === id)
        t.that('EVENTS-12', exchange, event !== undefined, `the event of message ${id}; but ${lacked}`)
        const [wanted, told] = [known.events, events].map((all) => canonical(eventsAbout(ours, all)))
        const says = `with ${JSON.stringify(values)} the events of a queue of POST /register: ${wanted}`
        t.that('EVENTS-12', exchange, told === wanted, says)
        await Promise.all([registered.close(), asked.close()])
      }
    },
  },
  {
    id: 'events/again',
    title: 'acknowledged events are gone, and of two polls the later one gets the events',
    requirements: ['EVENTS-9', 'EVENTS-14', 'EVENTS-15', 'ENV-11'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const wanted = { event_types: ['message'], narrow: [['stream', channel.name]] }
      const queue = await EventQueue.open(reader, wanted)
      for (const content of ['One.', 'Two.']) await post(author, channel, 'events', content)
      const [first, second] = (await queue.peek(Number(queue.registered.body.last_event_id))).body.events
      await queue.peek(second?.id)
      const unknown = { conformance_first: 'x', conformance_second: '[1]' }
      const values = { queue_id: queue.id, last_event_id: second?.id, ...unknown }
      const behind = await reader.call('get-events', { ...values, last_event_id: first?.id, dont_block: true })
      t.refusedWith('EVENTS-14', behind, `An event newer than ${first?.id} has already been pruned!`)
      const elsewhere = (await EventQueue.open(reader, wanted)).until({ type: 'message' })
      // The later request ends the earlier one.
      const both = [1, 2].map(() => reader.wait('get-events', values, reader.patienceMs))
      const ended = await Promise.race(both.map(({ inTime }) => inTime))
      const sent = await post(author, channel, 'events', 'Three.')
      const answers = await Promise.all(both.map(({ answer }) => answer))
      const last = answers.find((answer) => answer !== ended) ?? behind
      const isEnded = ended?.status === 200 && ended.body.events.length === 0
      t.that('EVENTS-15', ended ?? last, isEnded, 'one of two requests is answered, with no event, before there is one')
      const isTold = last.body?.events?.[0]?.message?.id === sent
      t.that('EVENTS-15', last, isTold, `the other request gets the event of message ${sent}`)
      const { event, exchange } = await elsewhere
      t.that('EVENTS-9', exchange, event?.message.id === sent, `message ${sent} in another queue of the same reader`)
      for (const answer of answers) {
        const listed = answer.body?.ignored_parameters_unsupported
        const isExact = Array.isArray(listed) && listed.toSorted().join() === Object.keys(unknown).join()
        const says = `\`ignored_parameters_unsupported\` has ${Object.keys(unknown)}, also after the request waited`
        t.thatOrDeviates('NOTE-39', 'ENV-11', answer, isExact, says, listed === undefined)
      }
    },
  },
  {
    id: 'events/refused',
    title: 'a queue of another account is refused',
    requirements: ['EVENTS-1', 'EVENTS-13'],
    async run(t) {
      const [owner, other] = [await t.user(), await t.user()]
      const queue = await EventQueue.open(owner, { event_types: ['message'] })
      const people = await peopleOfRoles(t)
      const made = (['administrator', 'guest'] as const).flatMap((role) => people.get(role) ?? [])
      const bots = t.deployment.given.filter(({ isBot }) => isBot)
      for (const caller of [other, ...made, ...bots].filter(({ userId }) => userId !== owner.userId)) {
        for (const queue_id of [queue.id, 'conformance-none']) {
          for (const exchange of [
            await caller.call('get-events', { queue_id, last_event_id: -1, dont_block: true }),
            await caller.call('delete-queue', { queue_id }),
          ]) {
            const { status, body } = exchange
            const isBad = status === 400 && body?.code === 'BAD_EVENT_QUEUE_ID' && body.queue_id === queue_id
            t.that('EVENTS-13', exchange, isBad, `HTTP 400, BAD_EVENT_QUEUE_ID and \`queue_id\` "${queue_id}"`)
          }
        }
      }
      const nameless = await other.call('get-events', { last_event_id: -1, dont_block: true })
      t.thatOrDeviates('NOTE-42', 'EVENTS-1', nameless, isRefused(nameless), 'a refusal, because of `queue_id`')
      if (!isRefused(nameless)) await other.call('delete-queue', { queue_id: nameless.body?.queue_id })
    },
  },
]

/** The events about these messages, without the event ids, which depend on the queue. */
function eventsAbout(messageIds: readonly number[], events: readonly Event[]): Event[] {
  return events
    .filter(({ message, message_id: id }) => messageIds.includes(message?.id ?? id))
    .map(({ id: _, ...event }) => event)
}

function msOf({ sentAt, answeredAt }: Exchange): number {
  return answeredAt - sentAt
}

/** The fastest of up to three answers: a machine may be busy for a moment. */
async function quickest(ask: () => Promise<Exchange>): Promise<Exchange> {
  const answers = [await ask()]
  while (answers.length < 3 && answers.every((answer) => msOf(answer) > atOnceMs)) answers.push(await ask())
  return answers.toSorted((one, other) => msOf(one) - msOf(other))[0] as Exchange
}

/** Moves the server's clock step by step while a request waits. @returns the answer, and the seconds moved */
async function pollAhead(queue: EventQueue, standIn: StandIn) {
  let waited: Exchange | undefined
  const asked = queue.poll(fewMinutesMs).then((exchange) => {
    waited = exchange
  })
  let seconds = 0
  // A step may come before the request waits, and the answer one step late.
  for (; waited === undefined && seconds < fewMinutesMs / 1000; seconds += stepSeconds)
    await standIn.advance(stepSeconds * 1000)
  if (waited === undefined) await queue.close()
  await asked
  return { waited, seconds }
}

async function pollInVain(queue: EventQueue): Promise<{ waited: Exchange | undefined; seconds: number }> {
  const waited = await queue.poll(fewMinutesMs)
  return { waited, seconds: (waited === undefined ? fewMinutesMs : msOf(waited)) / 1000 }
}
