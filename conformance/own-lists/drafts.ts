import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { some } from '../laws/action-kind.ts'
import type { OwnList } from './own-list.ts'

/** A draft that somebody writes in a world. */
export interface WrittenDraft {
  readonly content: string
  readonly type?: string
  readonly channel?: number
  readonly to?: number
}

const early = 1_500_000_000

function toOthers(people: readonly Account[]): Values {
  const content = { content: 'two', timestamp: early + 1 }
  return people.length === 0 ? content : { type: 'private', to: people.map(({ userId }) => userId), ...content }
}

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
    ['STATE-OTHER-2', ({ people, user }) => toOthers(people.filter((one) => one !== user))],
    ['DRAFT-FIELD-14', { content: 'from the beginning', timestamp: 0 }],
    ['STATE-OTHER-2', { content: 'three' }],
  ],
  replaces: true,
  longest: { content: '\u{1f419}'.repeat(10_000) },
  order: 'timestamp',
  unknown: 'Draft does not exist',
  rules: {
    made: { shape: 'EV-OTHER-7', added: 'DRAFT-4' },
    changed: { changes: 'STATE-OTHER-2', updated: 'STATE-OTHER-2' },
    gone: { removed: 'EV-OTHER-7', left: 'STATE-OTHER-2', unknown: 'STATE-OTHER-2' },
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
