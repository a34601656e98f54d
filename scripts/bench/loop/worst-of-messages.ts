import { always, type Scene, type WorstCall, type WorstCalls } from './scene.ts'

type Term = readonly [operator: string, operand: string | number, negated?: true]

const LONGEST = 10_000
const MOST = 5000
const MOST_FLAGGED = 50_000
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

const markUnread = (scene: Scene) =>
  scene.reader.must('POST', '/messages/flags', { messages: newestIds(scene, MOST_FLAGGED), op: 'remove', flag: 'read' })
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
  call: always('POST', '/messages/flags', (scene) => ({ messages: newestIds(scene, MOST_FLAGGED), op, flag })),
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

const GET_MESSAGES: readonly [WorstCall, ...WorstCall[]] = [
  newest('5,000, no narrow', [], MOST),
  newest('a channel of longest messages', [['channel', 'Seeded 9998']], MOST),
  { what: 'oldest', call: always('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: MOST }) },
  {
    what: 'by 5,000 ids',
    call: always('GET', '/messages', (scene) => ({ message_ids: newestIds(scene, MOST) })),
  },
  newest('a channel, 19 negated terms', [['channel', 'Crowd'], NONE, ...others(18)]),
  newest('20 negated terms', [NONE, ['is', 'dm', true], ...others(18)]),
  newest('negated and unread', [NONE, ['is', 'dm', true], ['is', 'unread', true]]),
  newest('unread, negated', [['is', 'unread'], NONE, ['is', 'dm', true]]),
  newest('starred, negated', [['is', 'starred'], NONE]),
  newest('followed topics, negated', [['is', 'followed'], NONE]),
  newest('a topic in all channels, negated', [['topic', 'topic 0'], NONE]),
  newest('a sender, negated', [['sender', 'seeded-0@parley.example'], NONE]),
  newest('all conversations', [['is', 'dm']], MOST),
  newest(
    'conversations, negated',
    [['is', 'dm'], ['dm-including', 'seeded-0@parley.example', true], ...others(10)],
    MOST,
  ),
  newest('not muted, negated', [['in', 'home'], NONE, ['is', 'dm', true]]),
  newest('reactions, negated', [['has', 'reaction'], NONE, ['is', 'dm', true]]),
  newest('mentions of me, negated', [['is', 'mentioned'], NONE]),
  newest('a beginning of all words', [['search', 'wor']], MOST),
  newest('a beginning of all words, negated', [['search', 'wor'], NONE]),
  newest('a beginning of many words', [['search', 'word4']], MOST),
  newest('a word, negated', [['search', 'word482'], NONE]),
  newest('two words', [['search', 'word482 word483']]),
  newest('1,000 words', [['search', words(1000)]]),
  newest('a phrase', [['search', '"word482 word483"']]),
  newest('not a word', [
    ['search', 'wor', true],
    ['is', 'dm', true],
  ]),
  {
    what: 'first unread, negated',
    call: always('GET', '/messages', {
      anchor: 'first_unread',
      num_before: 50,
      num_after: 50,
      narrow: narrowOf([NONE, ['is', 'dm', true]]),
    }),
  },
  {
    what: 'a date, negated',
    call: always('GET', '/messages', {
      anchor: 'date',
      anchor_date: '2001-01-01',
      num_before: 50,
      num_after: 50,
      narrow: narrowOf([NONE, ['is', 'dm', true]]),
    }),
  },
]

const toCrowd = (content: string, as = 'member') =>
  always(
    'POST',
    '/messages',
    ({ organization }) => ({ type: 'channel', to: organization.crowdId, topic: 'topic 0', content }),
    as,
  )
const mentions = Array.from({ length: 300 }, (_, index) => `@**Seeded ${index}**`).join(' ')

export const worstCalls: WorstCalls = {
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
  'delete-queue': [
    {
      prepare: async (scene) => (await scene.reader.must('POST', '/register', { fetch_event_types: [] })).queue_id,
      call: (scene, queue_id) => scene.reader.delete('/events', { queue_id }),
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
  'check-messages-match-narrow': [
    {
      what: '5,000, a search',
      call: always('GET', '/messages/matches_narrow', (scene) => ({
        msg_ids: Array.from({ length: MOST }, (_, index) => scene.organization.crowdMessageId - index),
        narrow: narrowOf([['search', 'wor']]),
      })),
    },
  ],
  'mark-all-as-read': [{ prepare: markUnread, call: always('POST', '/mark_all_as_read') }],
  'mark-stream-as-read': [
    {
      prepare: markUnread,
      call: always('POST', '/mark_stream_as_read', ({ organization }) => ({ stream_id: organization.crowdId })),
    },
  ],
  'mark-topic-as-read': [
    {
      prepare: markUnread,
      call: always('POST', '/mark_topic_as_read', ({ organization }) => ({
        stream_id: organization.longChannelId,
        topic_name: 'long',
      })),
    },
  ],
  'get-message': [{ call: always('GET', ({ organization }) => `/messages/${organization.reactedMessageId}`) }],
  'update-message': [
    {
      what: 'longest, many readers',
      prepare: (scene) => scene.once('edited', () => sent(scene, 'first')),
      call: (scene, id) => scene.reader.patch(`/messages/${id}`, { content: scene.unique('**word** '.repeat(1100)) }),
    },
  ],
  'delete-message': [
    {
      prepare: (scene) => sent(scene, 'x'.repeat(LONGEST)),
      call: (scene, id) => scene.as('owner').delete(`/messages/${id}`),
    },
  ],
  'add-reaction': [
    {
      prepare: ({ reader, organization }) =>
        reader.delete(`/messages/${organization.reactedMessageId}/reactions`, { emoji_name: 'octopus' }),
      call: always('POST', ({ organization }) => `/messages/${organization.reactedMessageId}/reactions`, {
        emoji_name: 'octopus',
      }),
    },
  ],
  'remove-reaction': [
    {
      prepare: ({ reader, organization }) =>
        reader.post(`/messages/${organization.reactedMessageId}/reactions`, { emoji_name: 'octopus' }),
      call: always('DELETE', ({ organization }) => `/messages/${organization.reactedMessageId}/reactions`, {
        emoji_name: 'octopus',
      }),
    },
  ],
  'get-message-history': [
    {
      what: '100 versions of the longest',
      prepare: (scene) =>
        scene.once('history', async () => {
          const id = await sent(scene, 'first')
          for (let count = 0; count < 100; count += 1) {
            await scene.reader.must('PATCH', `/messages/${id}`, { content: `${count} ${'word '.repeat(1990)}` })
          }
          return id
        }),
      call: (scene, id) => scene.reader.get(`/messages/${id}/history`),
    },
  ],
  'get-read-receipts': [
    { call: always('GET', ({ organization }) => `/messages/${organization.crowdMessageId}/read_receipts`) },
  ],
  'set-typing-status-for-edit': [
    {
      prepare: (scene) => scene.once('edited', () => sent(scene, 'first')),
      call: (scene, id) => scene.reader.post(`/messages/${id}/typing`, { op: 'start' }),
    },
  ],
  'add-submessage': [
    {
      prepare: (scene) => scene.once('poll', () => sent(scene, `/poll q\n${'option\n'.repeat(100)}`)),
      call: (scene, message_id) =>
        scene.reader.post('/submessage', {
          message_id,
          msg_type: 'widget',
          content: JSON.stringify({ type: 'new_option', idx: 1, option: scene.unique('x'.repeat(900)) }),
        }),
    },
  ],
  'set-typing-status': [
    {
      what: 'in a channel of 10,000',
      call: always('POST', '/typing', ({ organization }) => ({
        type: 'channel',
        op: 'start',
        stream_id: organization.crowdId,
        topic: 'topic 0',
      })),
    },
    {
      what: 'to 499 people',
      call: always('POST', '/typing', ({ organization }) => ({
        type: 'direct',
        op: 'start',
        to: organization.userIds.slice(0, 499),
      })),
    },
  ],
}
