import type { Socket } from 'node:net'
import type { Random } from '../../server/random-testing.ts'
import type { Attack, Attacker, Generator } from './attack.ts'
import { type call, connections, encoded, type Form, flood, flooding, head } from './calls.ts'

const MIB = 1024 * 1024

function messages({ crowd }: Attacker, narrow: readonly object[], more: Form = {}) {
  const form = {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: crowd }, ...narrow],
    ...more,
  }
  return { method: 'GET', path: '/api/v1/messages', form }
}

/** The bytes of a request by the guest. */
const rawGet = ({ guest }: Attacker, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${guest}\r\n\r\n`

/** Sends a form of 1 MB without its end. */
function endless(socket: Socket): void {
  const chunk = `a=${'x'.repeat(64 * 1024 - 3)}&`
  for (let bytes = 0; bytes < MIB - 65_536; bytes += chunk.length) socket.write(chunk)
}

/** Sends the rest of a request byte by byte. */
function trickle(attacker: Attacker, socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (attacker.signal.aborted || socket.destroyed || at === text.length) clearInterval(timer)
    else socket.write(text[at++] ?? '')
  }, 100)
}

export const requestAttacks: readonly Attack[] = [
  {
    id: 'F4',
    what: '1,300 forms of 1 MB without an end, by nobody',
    run: (attacker) => connections(attacker, 1300, head(attacker, '/api/v1/fetch_api_key', MIB - 1), endless),
  },
  {
    id: 'F4b',
    what: '1,300 forms of 1 MB without an end, by a guest',
    run: (attacker) =>
      connections(attacker, 1300, head(attacker, '/api/v1/messages', MIB - 1, attacker.guest), endless),
  },
  {
    id: 'G12',
    what: '900 forms that lack their last bytes, by nobody',
    run: (attacker) =>
      connections(attacker, 900, `${head(attacker, '/api/v1/fetch_api_key', 16_000)}${'a='.padEnd(15_000, 'x')}`),
  },
  {
    id: 'F6',
    what: 'as many negated terms as are allowed, and more, in a channel of 250,000 messages',
    run: (attacker) => {
      const terms = Array.from({ length: 90 }, (_, index) => ({
        operator: 'topic',
        operand: `none ${index}`,
        negated: true,
      }))
      return flood(attacker, 4, (turn) => messages(attacker, turn % 4 === 3 ? terms : terms.slice(0, 19)))
    },
  },
  {
    id: 'F6b',
    what: 'seven -sender in a channel of 250,000 messages',
    run: (attacker) => {
      const terms = attacker.senderIds.slice(0, 19).map((operand) => ({ operator: 'sender', operand, negated: true }))
      return flood(attacker, 4, (turn) => messages(attacker, turn % 2 === 0 ? terms : terms.slice(0, 7)))
    },
  },
  flooding('search', 'searches for what every message has, and for nothing', 4, (turn, attacker) =>
    messages(attacker, [{ operator: 'search', operand: ['w', 'word', 'wo wor word', 'w "zzz"'][turn % 4] }]),
  ),
  flooding('F8', 'as many queues as possible, never polled', 4, () => ({
    method: 'POST',
    path: '/api/v1/register',
    form: { idle_queue_timeout: 604_800, all_public_streams: true },
  })),
  {
    id: 'polls',
    what: '3,000 waiting polls of one guest',
    async run(attacker) {
      const wait = (index: number) =>
        rawGet(attacker, `/api/v1/events?${encoded({ queue_id: `none-${index}`, last_event_id: -1 })}`)
      await connections(attacker, 3000, wait)
    },
  },
  {
    id: 'slow heads',
    what: '2,000 connections that send their headers a byte at a time',
    run: (attacker) =>
      connections(attacker, 2000, 'GET /api/v1/users HTTP/1.1\r\n', (socket) =>
        trickle(attacker, socket, 'X-Slow: a\r\n'.repeat(100)),
      ),
  },
  {
    id: 'slow readers',
    what: '300 answers of thousands of messages that nobody reads',
    run: (attacker) => {
      const { form } = messages(attacker, [], { num_before: 5000 })
      const bytes = rawGet(attacker, `/api/v1/messages?${encoded(form)}`)
      return connections(attacker, 300, bytes, (socket) => socket.pause())
    },
  },
  {
    id: 'pipelines',
    what: '20 connections with 1,000 requests each, sent at once',
    run: (attacker) => connections(attacker, 20, rawGet(attacker, '/api/v1/messages/1').repeat(1000)),
  },
  flooding('guesses', 'passwords guessed by nobody, each for another account', 16, (turn) => ({
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    authorization: null,
    form: { username: `guess-${turn}@parley.example`, password: 'x'.repeat(100) },
  })),
  flooding(
    'flood',
    'requests by nobody on 32 connections, without a pause',
    32,
    () => ({ method: 'GET', path: '/api/v1/users', authorization: 'Basic eDp5' }),
    {
      pauseMs: 0,
    },
  ),
  flooding('registers', 'everything that POST /register can tell, again and again', 8, () => ({
    method: 'POST',
    path: '/api/v1/register',
    form: { include_subscribers: 'true', slim_presence: true },
  })),
  {
    id: 'flags',
    what: '100,000 message ids at once, and flags for 5,000 of a narrow',
    run: (attacker) => {
      const ids = Array.from({ length: 100_000 }, (_, index) => index + 1)
      const narrow = [{ operator: 'channel', operand: attacker.crowd }]
      return flood(attacker, 4, (turn) => {
        const op = turn % 4 < 2 ? 'add' : 'remove'
        return turn % 2 === 0
          ? { method: 'POST', path: '/api/v1/messages/flags', form: { messages: ids, op, flag: 'starred' } }
          : {
              method: 'POST',
              path: '/api/v1/messages/flags/narrow',
              form: { anchor: 'newest', num_before: 5000, num_after: 0, narrow, op, flag: 'read' },
            }
      })
    },
  },
  {
    id: 'groups',
    what: 'changes and lists of a thousand user groups, 100 deep, by who manages them',
    run: (attacker) => {
      const { top, bottom, manager: authorization } = attacker.groups
      const path = (id: number, rest: string): string => `/api/v1/user_groups/${id}/${rest}`
      const ids = attacker.senderIds
      const isMember = path(top, `members/${ids[0]}`)
      const calls = [
        { method: 'POST', path: path(bottom, 'members'), form: { delete: ids } },
        { method: 'POST', path: path(bottom, 'subgroups'), form: { add: [top] } }, // a circle
        { method: 'GET', path: path(top, 'members') },
        { method: 'POST', path: path(bottom, 'members'), form: { add: ids } },
        { method: 'GET', path: isMember },
        { method: 'GET', path: '/api/v1/user_groups' },
      ] as const
      return flood(attacker, 4, (turn) => ({
        ...(calls[turn % calls.length] as (typeof calls)[number]),
        authorization,
      }))
    },
  },
  flooding('deep JSON', 'parameters of 1 MB of nested or repeated JSON', 4, (turn) => ({
    method: 'POST',
    path: '/api/v1/messages/flags',
    form: {
      messages: turn % 2 === 0 ? `${'['.repeat(500_000)}` : `[${'1,'.repeat(500_000)}1]`,
      op: 'add',
      flag: 'read',
    },
  })),
  {
    id: 'uploads',
    what: 'multipart bodies of many parts, and files without an end',
    run: async (attacker) => {
      const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'
      const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
      const parts = flood(attacker, 4, () => ({
        method: 'POST',
        path: '/api/v1/messages',
        body: part.repeat(15_000),
        headers: multipart,
      }))
      const file = `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${attacker.guest}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 20000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`
      await Promise.all([parts, connections(attacker, 150, file, (socket) => void socket.write('x'.repeat(MIB)))])
    },
  },
]

const WORDS = [
  ...['w', 'wo', 'word', 'word1', 'word482', 'word4999', 'zzz', '"word1 word2"', 'é', '한글', '%', '_', '*'],
] as const

function term(random: Random, { senderIds, crowd }: Attacker): object {
  const negated = random.int(2) === 0
  return random.pick([
    { operator: 'sender', operand: random.pick(senderIds), negated },
    { operator: 'topic', operand: `topic ${random.between(0, 200)}`, negated },
    {
      operator: 'search',
      operand: Array.from({ length: random.between(1, 8) }, () => random.pick(WORDS)).join(' '),
      negated,
    },
    {
      operator: 'is',
      operand: random.pick(['unread', 'starred', 'mentioned', 'alerted', 'dm', 'resolved', 'followed', 'muted']),
      negated,
    },
    { operator: 'has', operand: random.pick(['link', 'attachment', 'image', 'reaction']), negated },
    { operator: 'channel', operand: crowd, negated },
    { operator: 'dm-including', operand: random.pick(senderIds), negated },
    { operator: 'id', operand: random.between(1, 250_000), negated },
  ])
}

export const requestGenerators: readonly Generator[] = [
  {
    id: 'narrow',
    make(random) {
      const count = random.between(1, 20)
      const anchor = random.pick(['newest', 'oldest', 'first_unread', 125_000])
      return {
        what: `narrow of ${count} terms from ${anchor}`,
        run: (attacker) => {
          const narrow = Array.from({ length: count }, () => term(random, attacker))
          const form = { anchor, num_before: 1000, num_after: 1000, narrow }
          return flood(attacker, 4, () => ({ method: 'GET', path: '/api/v1/messages', form }))
        },
      }
    },
  },
  {
    id: 'body',
    make(random) {
      const isByGuest = random.int(2) === 0
      const count = random.between(200, 1500)
      const length = random.between(1000, MIB)
      const sent = random.between(0, length - 1)
      const path = random.pick([
        '/api/v1/messages',
        '/api/v1/register',
        '/api/v1/fetch_api_key',
        '/api/v1/none',
        '/api/v1/users/me',
      ])
      return {
        what: `${count} bodies of ${sent} of ${length} bytes to ${path} by ${isByGuest ? 'a guest' : 'nobody'}`,
        run: (attacker) =>
          connections(
            attacker,
            count,
            head(attacker, path, length, isByGuest ? attacker.guest : undefined),
            (socket) => {
              for (let bytes = 0; bytes < sent; bytes += 65_536)
                socket.write('x'.repeat(Math.min(65_536, sent - bytes)))
            },
          ),
      }
    },
  },
  {
    id: 'mixture',
    make(random) {
      const atOnce = random.between(2, 16)
      const kinds = Array.from({ length: 4 }, () =>
        random.pick<(attacker: Attacker) => Parameters<typeof call>[1]>([
          () => ({
            method: 'POST',
            path: '/api/v1/register',
            form: { event_types: ['message'], narrow: Array(50).fill(['topic', 'x']) },
          }),
          () => ({ method: 'GET', path: '/api/v1/users', form: { client_gravatar: false } }),
          ({ crowd }) => ({ method: 'GET', path: '/api/v1/get_stream_id', form: { stream: crowd } }),
          ({ crowd }) => ({
            method: 'DELETE',
            path: '/api/v1/users/me/subscriptions',
            form: { subscriptions: [crowd] },
          }),
          ({ crowd }) => ({
            method: 'POST',
            path: '/api/v1/users/me/subscriptions',
            form: { subscriptions: [{ name: crowd }] },
          }),
          () => ({
            method: 'POST',
            path: '/api/v1/users/me/alert_words',
            form: { alert_words: Array.from({ length: 900 }, (_, index) => `word${index}`) },
          }),
          () => ({
            method: 'GET',
            path: '/api/v1/messages/matches_narrow',
            form: {
              msg_ids: Array.from({ length: 5000 }, (_, index) => index + 1),
              narrow: [{ operator: 'search', operand: 'word1' }],
            },
          }),
          () => ({ method: 'POST', path: '/api/v1/mark_all_as_read' }),
        ]),
      )
      return {
        what: `a mixture of ${kinds.length} calls, ${atOnce} at a time`,
        run: (attacker) =>
          flood(attacker, atOnce, (turn) => (kinds[turn % kinds.length] as (typeof kinds)[0])(attacker)),
      }
    },
  },
]
