import { always, type Scene, type WorstCall } from './scene.ts'

type Term = readonly [operator: string, operand: string | number, negated?: true]

const LONGEST = 10_000
const MOST = 5000
const MAX_FLAGGED = 50_000
const narrowOf = (terms: readonly Term[]) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))

/** GET /messages. */
const page = (what: string, terms: readonly Term[], range: object): WorstCall => ({
  operation: 'get-messages',
  what,
  call: always('GET', '/messages', { ...range, narrow: narrowOf(terms) }),
})
const newest = (count: number) => ({ anchor: 'newest', num_before: count, num_after: 0 })
const around = (anchor: string) => ({ anchor, num_before: 50, num_after: 50 })

/** No message of a channel matches it, and no index helps. */
const NONE: Term = ['channels', 'public', true]
const NO_DIRECT: Term = ['is', 'dm', true]
const others = Array.from({ length: 18 }, (_, index): Term => ['sender', `seeded-${100 + index}@parley.example`, true])
const mentions = Array.from({ length: 300 }, (_, index) => `@**Seeded ${index}**`).join(' ')

/** Principals times channels. */
const MAX_PAIRS = 20_000
const everybody = ({ organization }: Scene) => organization.userIds.slice(0, MAX_PAIRS)
const thousandChannels = Array.from({ length: 1000 }, (_, index) => `Seeded ${index + 1}`)

/** The operations that many people call, with what makes each work hardest. */
export const WORST_CALLS: readonly WorstCall[] = [
  {
    operation: 'register-queue',
    what: 'everything',
    call: always('POST', '/register', { include_subscribers: true }),
  },
  {
    operation: 'register-queue',
    what: 'everything, partial subscribers',
    call: always('POST', '/register', { include_subscribers: 'partial' }),
  },
  {
    operation: 'get-events',
    what: 'a full answer',
    async prepare({ reader, organization }) {
      const { queue_id } = await reader.must('POST', '/register', { fetch_event_types: [] })
      const message = { type: 'channel', to: organization.crowdId, topic: 'new', content: 'x'.repeat(LONGEST) }
      for (let count = 0; count < 200; count += 1) await reader.must('POST', '/messages', message)
      return queue_id
    },
    call: ({ reader }, queue_id) => reader.get('/events', { queue_id, dont_block: true }),
  },
  page('5,000, no narrow', [], newest(MOST)),
  page('negated and unread', [NONE, NO_DIRECT, ['is', 'unread', true]], newest(100)),
  page('not muted, negated', [['in', 'home'], NONE, NO_DIRECT], newest(100)),
  page('a beginning of all words, negated', [['search', 'wor'], NONE], newest(100)),
  page('a beginning of many words', [['search', 'word4']], newest(MOST)),
  page('first unread, negated', [NONE, NO_DIRECT], around('first_unread')),
  page('a date, negated', [NONE, NO_DIRECT], { ...around('date'), anchor_date: '2001-01-01' }),
  {
    operation: 'send-message',
    what: 'to everybody',
    call: always(
      'POST',
      '/messages',
      ({ organization }) => ({
        type: 'channel',
        to: organization.crowdId,
        topic: 'topic 0',
        content: '@**all** hello',
      }),
      'owner',
    ),
  },
  {
    operation: 'render-message',
    what: '300 mentions',
    call: always('POST', '/messages/render', { content: mentions }),
  },
  {
    operation: 'update-message-flags',
    what: 'remove read, 50,000',
    async prepare(scene) {
      await scene.reader.must('POST', '/messages/flags', { messages: newestIds(scene), op: 'add', flag: 'read' })
    },
    call: always('POST', '/messages/flags', (scene) => ({ messages: newestIds(scene), op: 'remove', flag: 'read' })),
  },
  {
    operation: 'update-message-flags-for-narrow',
    what: '20 negated terms',
    call: always('POST', '/messages/flags/narrow', {
      ...newest(MOST),
      narrow: narrowOf([NONE, NO_DIRECT, ...others]),
      op: 'add',
      flag: 'read',
    }),
  },
  {
    operation: 'get-read-receipts',
    what: 'of the largest channel',
    call: always('GET', ({ organization }) => `/messages/${organization.crowdMessageId}/read_receipts`),
  },
  {
    operation: 'get-users',
    what: 'all',
    call: always('GET', '/users', { client_gravatar: false, include_custom_profile_fields: true }),
  },
  {
    operation: 'update-presence',
    what: 'everybody’s, for a year',
    call: always('POST', '/users/me/presence', { status: 'active', last_update_id: -1, history_limit_days: 365 }),
  },
  {
    operation: 'get-subscriptions',
    what: 'with subscribers',
    call: always('GET', '/users/me/subscriptions', { include_subscribers: true }),
  },
  {
    operation: 'subscribe',
    what: '10,000 people to 2 new channels',
    call: (scene) =>
      scene.as('owner').post('/users/me/subscriptions', {
        subscriptions: [{ name: scene.unique('New') }, { name: scene.unique('New') }],
        principals: everybody(scene),
      }),
  },
  {
    operation: 'unsubscribe',
    what: 'oneself from 1,000 channels',
    prepare: (scene) =>
      scene
        .as('owner')
        .must('POST', '/users/me/subscriptions', { subscriptions: thousandChannels.map((name) => ({ name })) }),
    call: always('DELETE', '/users/me/subscriptions', { subscriptions: thousandChannels }, 'owner'),
  },
  {
    operation: 'get-stream-topics',
    what: '10,000 topics',
    call: always('GET', ({ organization }) => `/users/me/${organization.topicsChannelId}/topics`),
  },
  {
    operation: 'update-stream',
    what: 'back from the archive, with 10,000 subscribers',
    async prepare(scene) {
      const owner = scene.as('owner')
      const name = scene.unique('Archived')
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: everybody(scene) })
      const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: name })
      await owner.must('DELETE', `/streams/${stream_id}`)
      return stream_id
    },
    call: (scene, id) => scene.as('owner').patch(`/streams/${id}`, { is_archived: false }),
  },
]

function newestIds({ organization }: Scene): number[] {
  return Array.from({ length: MAX_FLAGGED }, (_, index) => organization.newestMessageId - index)
}
