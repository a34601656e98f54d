import type { OwnList } from './own-list.ts'

export const ownList: OwnList = {
  list: 'saved_snippets',
  item: 'saved_snippet',
  area: 'PATCH /saved_snippets/{saved_snippet_id}',
  since: 297,
  changedSince: 368,
  given: { title: 'Of a conformance run', content: '*Hello.*' },
  mark: 'content',
  times: ['date_created'],
  changes: [
    ['SNIPPET-2', { title: 'Hello' }],
    ['SNIPPET-3', { content: '*Bye.*' }],
    ['CONTRACT-EFFECT', { title: 'Bye', content: 'Bye.' }],
  ],
  refused: [
    ['SNIPPET-8', { title: '' }, 'title cannot be blank'],
    ['SNIPPET-8', { title: ' ' }, 'title cannot be blank', true],
    ['SNIPPET-8', { title: 'x'.repeat(61) }, 'title is too long (limit: 60 characters)'],
    ['SNIPPET-8', { content: '' }, 'content cannot be blank'],
    ['SNIPPET-8', { content: '\n' }, 'content cannot be blank', true],
    ['SNIPPET-8', { content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
  ],
  longest: { title: '\u{1f419}'.repeat(60), content: '\u{1f419}'.repeat(10_000) },
  unknown: 'Saved snippet does not exist.',
  rules: {
    made: { anId: 'REC-4', shape: 'REC-7', shown: 'REC-3' },
    changed: { changes: 'SNIPPET-1', updated: 'SNIPPET-9', unchanged: 'SNIPPET-4', bare: 'SNIPPET-5' },
    gone: { unknown: 'SNIPPET-7', code: 'SNIPPET-6' },
  },
}
