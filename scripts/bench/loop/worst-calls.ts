import { always, type Scene, type WorstCall, type WorstCalls } from './scene.ts'

type Term = readonly [operator: string, operand: string | number, negated?: true]

const LONGEST = 10_000
const MOST = 5000
const MAX_FLAGGED = 50_000
const narrowOf = (terms: readonly Term[]) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))

const newest = (what: string, terms: readonly Term[], count = 100): WorstCall => ({
  what,
  call: always('GET', '/messages', { anchor: 'newest', num_before: count, num_after: 0, narrow: narrowOf(terms) }),
})

/** No message of a channel matches it, and no index helps. */
const NONE: Term = ['channels', 'public', true]
const others = (count: number): Term[] =>
  Array.from({ length: count }, (_, index) => ['sender', `seeded-${100 + index}@parley.example`, true] as const)
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
const newestIds = ({ organization }: Scene, count: number): number[] =>
  Array.from({ length: count }, (_, index) => organization.newestMessageId - index)

const sent = async (scene: Scene, content: string) =>
  (
    await scene.reader.must('POST', '/messages', {
      type: 'channel',
      to: scene.organization.crowdId,
      topic: 'new',
      content,
    })
  ).id
const flagNewest = (op: string, flag: string): WorstCall => ({
  what: `${op} ${flag}, 50,000`,
  call: always('POST', '/messages/flags', (scene) => ({ messages: newestIds(scene, MAX_FLAGGED), op, flag })),
})
const flagNarrow = (what: string, terms: readonly Term[], op: string, flag: string): WorstCall => ({
  what,
  call: always('POST', '/messages/flags/narrow', {
    anchor: 'newest',
    num_before: MOST,
    num_after: 0,
    narrow: narrowOf(terms),
    op,
    flag,
  }),
})

const around = (anchor: string) => ({
  ...{ anchor, num_before: 50, num_after: 50 },
  narrow: narrowOf([NONE, ['is', 'dm', true]]),
})

const GET_MESSAGES: readonly [WorstCall, ...WorstCall[]] = [
  newest('5,000, no narrow', [], MOST),
  newest('a channel of longest messages', [['channel', 'Seeded 9998']], MOST),
  { what: 'oldest', call: always('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: MOST }) },
  {
    what: 'by 5,000 ids',
    call: always('GET', '/messages', (scene) => ({ message_ids: newestIds(scene, MOST) })),
  },
  newest('a channel, 19 negated terms', [['channel', 'Crowd'], NONE, ...others(18)]),
  newest('negated and unread', [NONE, ['is', 'dm', true], ['is', 'unread', true]]),
  newest('starred, negated', [['is', 'starred'], NONE]),
  newest('a topic in all channels, negated', [['topic', 'topic 0'], NONE]),
  newest(
    'conversations, negated',
    [['is', 'dm'], ['dm-including', 'seeded-0@parley.example', true], ...others(10)],
    MOST,
  ),
  newest('not muted, negated', [['in', 'home'], NONE, ['is', 'dm', true]]),
  newest('reactions, negated', [['has', 'reaction'], NONE, ['is', 'dm', true]]),
  newest('a beginning of all words, negated', [['search', 'wor'], NONE]),
  newest('a beginning of many words', [['search', 'word4']], MOST),
  newest('1,000 words', [['search', words(1000)]]),
  newest('a phrase', [['search', '"word482 word483"']]),
  newest('not a word', [
    ['search', 'wor', true],
    ['is', 'dm', true],
  ]),
  { what: 'first unread, negated', call: always('GET', '/messages', around('first_unread')) },
  { what: 'a date, negated', call: always('GET', '/messages', { ...around('date'), anchor_date: '2001-01-01' }) },
]

const toCrowd = (content: string, as = 'member') =>
  always(
    'POST',
    '/messages',
    ({ organization }) => ({ type: 'channel', to: organization.crowdId, topic: 'topic 0', content }),
    as,
  )
const mentions = Array.from({ length: 300 }, (_, index) => `@**Seeded ${index}**`).join(' ')

/** Principals times channels. */
const MAX_PAIRS = 20_000
const MAX_CHANNELS = 1000
const everybody = ({ organization }: Scene) => organization.userIds.slice(0, MAX_PAIRS)
const seededNames = (count: number) => Array.from({ length: count }, (_, index) => `Seeded ${index + 1}`)

/** Subscribes the owner to the channels that the call unsubscribes. */
const ownerFollows = (scene: Scene) =>
  scene.as('owner').must('POST', '/users/me/subscriptions', {
    subscriptions: seededNames(MAX_CHANNELS).map((name) => ({ name })),
  })
const ownerLeaves = (scene: Scene) =>
  scene.as('owner').must('DELETE', '/users/me/subscriptions', { subscriptions: seededNames(MAX_CHANNELS) })

/** A new channel with everybody in it. */
async function crowdOf(scene: Scene, prefix: string): Promise<number> {
  const name = scene.unique(prefix)
  const owner = scene.as('owner')
  await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: everybody(scene) })
  return (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id
}

/** The operations that many people call, each with what makes it work hardest. */
export const WORST_CALLS: WorstCalls = {
  'register-queue': [
    { what: 'everything', call: always('POST', '/register', { include_subscribers: true }) },
    { what: 'everything, partial subscribers', call: always('POST', '/register', { include_subscribers: 'partial' }) },
    {
      what: 'no state, 100 terms',
      call: always('POST', '/register', {
        fetch_event_types: [],
        narrow: Array.from({ length: 100 }, (_, index) => ['topic', `topic ${index}`]),
      }),
    },
  ],
  'get-events': [
    {
      what: 'a full answer',
      async prepare(scene) {
        const { queue_id } = await scene.reader.must('POST', '/register', { fetch_event_types: [] })
        for (let count = 0; count < 200; count += 1) await sent(scene, 'x'.repeat(LONGEST))
        return queue_id
      },
      call: (scene, queue_id) => scene.reader.get('/events', { queue_id, dont_block: true }),
    },
  ],
  'get-messages': GET_MESSAGES,
  'send-message': [
    { what: 'longest', call: toCrowd('**word** _other_ `code` '.repeat(LONGEST / 24)) },
    { what: 'links', call: toCrowd('https://example.com/a '.repeat(LONGEST / 22)) },
    { what: '300 mentions', call: toCrowd(mentions) },
    { what: 'to everybody', call: toCrowd('@**all** hello', 'owner') },
    {
      what: 'to 499 people',
      call: always('POST', '/messages', ({ organization }) => ({
        type: 'direct',
        to: organization.userIds.slice(0, 499),
        content: 'x'.repeat(LONGEST),
      })),
    },
  ],
  'render-message': [
    { what: 'mentions', call: always('POST', '/messages/render', { content: mentions }) },
    { what: 'lists', call: always('POST', '/messages/render', { content: '* '.repeat(LONGEST / 2) }) },
    { what: 'code', call: always('POST', '/messages/render', { content: `\`\`\`cpp\n${'a<b<c>> d;\n'.repeat(900)}` }) },
    { what: 'formula', call: always('POST', '/messages/render', { content: `$$${'\\frac{a}{b}'.repeat(900)}$$` }) },
  ],
  'update-message-flags': [
    flagNewest('add', 'starred'),
    flagNewest('remove', 'starred'),
    flagNewest('remove', 'read'),
    flagNewest('add', 'read'),
  ],
  'update-message-flags-for-narrow': [
    flagNarrow('5,000 of a channel', [['channel', 'Crowd']], 'add', 'starred'),
    flagNarrow('unread, 5,000', [], 'remove', 'read'),
    flagNarrow('20 negated terms', [NONE, ['is', 'dm', true], ...others(18)], 'add', 'read'),
  ],
  'get-read-receipts': [
    { call: always('GET', ({ organization }) => `/messages/${organization.crowdMessageId}/read_receipts`) },
  ],
  'get-users': [
    { what: 'all', call: always('GET', '/users', { client_gravatar: false, include_custom_profile_fields: true }) },
    { what: 'by 10,000 ids', call: always('GET', '/users', (scene) => ({ user_ids: scene.organization.userIds })) },
  ],
  'update-presence': [
    {
      what: 'everybody’s, older form',
      call: always('POST', '/users/me/presence', { status: 'active' }),
    },
    {
      what: 'everybody’s, for a year',
      call: always('POST', '/users/me/presence', { status: 'active', last_update_id: -1, history_limit_days: 365 }),
    },
  ],
  'get-subscriptions': [
    { what: 'with subscribers', call: always('GET', '/users/me/subscriptions', { include_subscribers: true }) },
    { what: 'without', call: always('GET', '/users/me/subscriptions') },
  ],
  subscribe: [
    {
      what: '10,000 people to 2 new channels',
      call: (scene) =>
        scene.as('owner').post('/users/me/subscriptions', {
          subscriptions: [{ name: scene.unique('New') }, { name: scene.unique('New') }],
          principals: everybody(scene),
        }),
    },
    {
      what: 'oneself to 1,000 channels',
      prepare: ownerLeaves,
      call: always(
        'POST',
        '/users/me/subscriptions',
        { subscriptions: seededNames(MAX_CHANNELS).map((name) => ({ name, description: 'x'.repeat(500) })) },
        'owner',
      ),
    },
  ],
  unsubscribe: [
    {
      what: 'oneself from 1,000 channels',
      prepare: ownerFollows,
      call: always('DELETE', '/users/me/subscriptions', { subscriptions: seededNames(MAX_CHANNELS) }, 'owner'),
    },
  ],
  'get-stream-topics': [
    {
      what: '10,000 topics',
      call: always('GET', ({ organization }) => `/users/me/${organization.topicsChannelId}/topics`),
    },
  ],
  'update-stream': [
    {
      what: 'back from the archive, with 10,000 subscribers',
      async prepare(scene) {
        const id = await crowdOf(scene, 'Archived')
        await scene.as('owner').must('DELETE', `/streams/${id}`)
        return id
      },
      call: (scene, id) => scene.as('owner').patch(`/streams/${id}`, { is_archived: false }),
    },
  ],
}
