import fc from 'fast-check'
import { some } from '../laws/action-kind.ts'
import type { OwnList } from './own-list.ts'

/** What somebody in a world writes. */
export interface WrittenDraft {
  readonly content: string
  readonly type?: string
  readonly channel?: number
  readonly to?: number
}

const early = 1_500_000_000

export const ownList: OwnList<WrittenDraft> = {
  list: 'drafts',
  item: 'draft',
  area: 'POST /drafts',
  operations: { make: 'create-drafts' },
  given: { type: '', to: [], topic: '', content: 'A draft of a conformance run.' },
  mark: 'content',
  times: ['timestamp'],
  changes: [
    [
      'STATE-OTHER-2',
      ({ channel, topic }) => ({ type: 'stream', to: [channel.id], topic, content: 'one', timestamp: early }),
    ],
    ['STATE-OTHER-2', ({ user }) => ({ type: 'private', to: [user.userId], content: 'two', timestamp: early + 1 })],
    ['STATE-OTHER-2', { content: 'three' }],
  ],
  replaces: true,
  unknown: 'Draft does not exist',
  rules: {
    ...{ shape: 'EV-OTHER-7', added: 'DRAFT-4', changes: 'STATE-OTHER-2', updated: 'STATE-OTHER-2' },
    ...{ removed: 'EV-OTHER-7', gone: 'STATE-OTHER-2', unknown: 'STATE-OTHER-2' },
  },
  toMake: (fields) => ({ drafts: [fields] }),
  toChange: (fields) => ({ draft: fields }),
  idIn: (body) => body?.ids?.[0],
  any: ({ isOurs, who }) => ({
    content: fc.constantFrom('Not yet.', '*Soon.*'),
    ...(isOurs && { type: fc.constantFrom('', 'stream', 'private'), channel: some, to: who }),
  }),
  fields(world, { content = 'Not yet.', type = '', channel = 0, to = 0 }) {
    if (type === '') return { type, to: [], topic: '', content }
    const id = type === 'stream' ? world.channel(channel).id : world.person(to).userId
    return { type, to: [id], topic: 'lunch', content }
  },
}
