import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { areaOf } from './areas.ts'
import { holdsAt, parseRequirements, readRequirements } from './requirements.ts'

/** Number of requirements in each area: MUST, SHOULD, MAY. If one is lost, a number here changes. */
const inventory = {
  'What the service does': [4, 0, 0],
  Conventions: [23, 7, 0],
  Message: [56, 1, 0],
  Reaction: [7, 1, 0],
  Subscription: [46, 3, 0],
  'Group-setting value, topic entry, attachment': [12, 0, 0],
  Draft: [15, 0, 0],
  'Presence entry': [10, 0, 0],
  'User roles': [5, 0, 0],
  'Custom profile field update': [6, 1, 0],
  'Other records': [7, 4, 0],
  'States and transitions': [15, 4, 0],
  'PATCH /messages/{message_id}': [53, 8, 1],
  'GET /events': [12, 3, 0],
  'PATCH /users/{email}': [5, 0, 0],
  'PATCH /users/{user_id}': [13, 4, 0],
  'POST /users/me/presence': [27, 3, 1],
  'GET /messages/matches_narrow': [10, 5, 0],
  'GET /messages/{message_id}': [9, 1, 0],
  'PATCH /realm/user_settings_defaults': [68, 4, 0],
  'POST /streams/{stream_id}/delete_topic': [10, 2, 0],
  'POST /drafts': [4, 5, 0],
  'PATCH /users/me/subscriptions/{stream_id}': [21, 1, 0],
  'PATCH /users/me/profile_data': [5, 2, 0],
  'POST /mark_topic_as_read': [6, 2, 0],
  'POST /messages/{message_id}/reactions': [9, 3, 0],
  'GET /users/me/{stream_id}/topics': [10, 2, 0],
  'PATCH /saved_snippets/{saved_snippet_id}': [6, 3, 0],
  'POST /realm/playgrounds': [7, 3, 0],
  'POST /reminders': [6, 2, 0],
  'POST /users/me/android_push_reg_id': [5, 3, 0],
  'POST /export/realm': [9, 3, 0],
  'POST /mobile_push/e2ee/test_notification': [7, 1, 0],
  'GET /users/me/subscriptions': [6, 0, 1],
  'Other operations': [0, 6, 0],
  Authentication: [15, 7, 0],
  Events: [48, 12, 0],
  Errors: [29, 7, 0],
  Limits: [13, 11, 2],
  Versioning: [59, 0, 0],
}

const { all, notes } = readRequirements()

/** One line for each problem with `text`. */
function problemsOf(text: string): string[] {
  try {
    parseRequirements(text)
  } catch (err) {
    const [first, ...problems] = (err as Error).message.split('\n  ')
    assert.equal(first, 'requirements.yaml')
    return problems
  }
  return []
}

describe('the requirements of the contract', () => {
  test('are all there, area by area', () => {
    const areas = Map.groupBy(all.values(), ({ area }) => area)
    const counted = [...areas].map(([area, ones]) => [
      area,
      ['MUST', 'SHOULD', 'MAY'].map((kind) => ones.filter((one) => one.kind === kind).length),
    ])
    assert.deepEqual(Object.fromEntries(counted), inventory)
    assert.equal(all.size, 807)
  })

  test('stand under the heading of their area', () => {
    let heading: string | undefined
    for (const line of readFileSync(join(import.meta.dirname, 'requirements.yaml'), 'utf8').split('\n')) {
      if (line.startsWith('# ')) heading = line.slice(2)
      const requirement = all.get(line.slice(0, -1))
      if (requirement !== undefined) assert.equal(heading, requirement.area, requirement.id)
    }
  })

  test('have numbers without a gap', () => {
    const numbers = Map.groupBy(
      [...all.keys()].map((id) => /^(.+)-(\d+)$/.exec(id)).filter((match) => match !== null && match[1] !== 'LEVEL'),
      (match) => match?.[1],
    )
    for (const [prefix, ones] of numbers) {
      const sorted = ones.map((match) => Number(match?.[2])).sort((a, b) => a - b)
      assert.deepEqual(
        sorted,
        sorted.map((_, index) => index + 1),
        prefix,
      )
    }
  })

  test('come with every note', () => {
    assert.deepEqual(
      [...notes.keys()],
      Array.from({ length: 43 }, (_, index) => `NOTE-${index + 1}`),
    )
  })
})

describe('reading requirements', () => {
  test('give every part of an entry', () => {
    const read = parseRequirements(`
ENV-6: { says: Everything is JSON., kind: MUST }
MSG-FIELD-8:
  says: Clients see the name of the empty topic.
  level: { from: 334 }
  kind: SHOULD
  note: NOTE-16
REACT-6:
  says: A name is enough.
  level: [{ from: 2, until: 9 }, { of: emoji, from: 4 }]
  kind: MAY
  note: [NOTE-2, NOTE-16]
  untestable: Nobody can see it.
ERR-1: { says: Errors are JSON., kind: MUST, same-as: [ENV-6] }
notes:
  NOTE-2: Read it so.
  NOTE-16: Read it thus.
`)
    assert.deepEqual(
      [...read.all.values()],
      [
        {
          id: 'ENV-6',
          area: 'Conventions',
          says: 'Everything is JSON.',
          levels: [],
          kind: 'MUST',
          notes: [],
          sameAs: [],
        },
        {
          id: 'MSG-FIELD-8',
          area: 'Message',
          says: 'Clients see the name of the empty topic.',
          levels: [{ from: 334 }],
          kind: 'SHOULD',
          notes: ['NOTE-16'],
          sameAs: [],
        },
        {
          id: 'REACT-6',
          area: 'POST /messages/{message_id}/reactions',
          says: 'A name is enough.',
          levels: [
            { from: 2, until: 9 },
            { of: 'emoji', from: 4 },
          ],
          kind: 'MAY',
          notes: ['NOTE-2', 'NOTE-16'],
          sameAs: [],
          untestable: 'Nobody can see it.',
        },
        {
          id: 'ERR-1',
          area: 'Errors',
          says: 'Errors are JSON.',
          levels: [],
          kind: 'MUST',
          notes: [],
          sameAs: ['ENV-6'],
        },
      ],
    )
    assert.deepEqual(
      [...read.notes],
      [
        ['NOTE-2', 'Read it so.'],
        ['NOTE-16', 'Read it thus.'],
      ],
    )
  })

  const faults: Record<string, [text: string, ...problems: string[]]> = {
    'an id that occurs twice': [
      'ENV-1: { says: A., kind: MUST }\nENV-1: { says: B., kind: MUST }',
      'ENV-1 occurs twice',
    ],
    'a key that occurs twice': ['ENV-1: { says: A., says: B., kind: MUST }', 'ENV-1: says occurs twice'],
    'a note that occurs twice': [
      'ENV-1: { says: A., kind: MUST, note: NOTE-1 }\nnotes: { NOTE-1: A., NOTE-1: B. }',
      'notes: NOTE-1 occurs twice',
    ],
    'no mapping': ['- ENV-1', 'the file is not a mapping of ids to requirements'],
    'an entry that is not a mapping': ['ENV-1: true', 'ENV-1: must be a mapping with says and kind'],
    'an id of no area': ['NOPE-1: { says: A., kind: MUST }', 'NOPE-1: belongs to no area of areas.ts'],
    'an unknown key': ['ENV-1: { says: A., kind: MUST, lvl: 3 }', 'ENV-1: has an unknown key lvl'],
    'what is missing': [
      'ENV-1: {}',
      'ENV-1: kind must be one of MUST, SHOULD, MAY, not nothing',
      'ENV-1: says must be a sentence with a full stop, not nothing',
    ],
    'a wrong kind': ['ENV-1: { says: A., kind: must }', 'ENV-1: kind must be one of MUST, SHOULD, MAY, not "must"'],
    'half a sentence': [
      'ENV-1: { says: A, kind: MUST, untestable: "" }',
      'ENV-1: says must be a sentence with a full stop, not "A"',
      'ENV-1: untestable must be a sentence with a full stop, not ""',
    ],
    'the same sentence twice': [
      'ENV-1: { says: A., kind: MUST }\nENV-2: { says: A., kind: MUST }',
      'ENV-2: says the same as ENV-1, word for word',
    ],
    'a level that is a number': [
      'ENV-1: { says: A., kind: MUST, level: 334 }',
      'ENV-1: level must be { from: … }, { until: … } or a list of these, not 334',
    ],
    'invalid levels': [
      'ENV-1: { says: A., kind: MUST, level: { from: 0, until: "9" } }',
      'ENV-1: level from must be a feature level, a whole number from 1 on, not 0',
      'ENV-1: level until must be a feature level, a whole number from 1 on, not "9"',
    ],
    'a level without an end': [
      'ENV-1: { says: A., kind: MUST, level: { of: "", since: 3 } }',
      'ENV-1: level has an unknown key since',
      'ENV-1: level of must be text, not ""',
      'ENV-1: level has neither from nor until',
    ],
    'levels the wrong way round': [
      'ENV-1: { says: A., kind: MUST, level: { from: 9, until: 8 } }',
      'ENV-1: level begins after it ends',
    ],
    'no levels': ['ENV-1: { says: A., kind: MUST, level: [] }', 'ENV-1: level is an empty list'],
    'the same part twice': [
      'ENV-1: { says: A., kind: MUST, level: [{ of: x, from: 1 }, { of: x, from: 2 }] }',
      'ENV-1: level gives the same part twice',
    ],
    'a note that does not exist': [
      'ENV-1: { says: A., kind: MUST, note: NOTE-9 }',
      'ENV-1: note NOTE-9 does not exist',
    ],
    'a note that nobody names': ['notes: { NOTE-1: A. }', 'NOTE-1: nobody names it'],
    'invalid notes': [
      'ENV-1: { says: A., kind: MUST, note: REMARK }\nnotes: { REMARK: A }',
      'REMARK: the id of a note is NOTE- and a number',
      'REMARK: must be a sentence with a full stop, not "A"',
    ],
    'notes that are a list': ['notes: [NOTE-1]', 'notes: must be a mapping of ids to texts'],
    'a twin that does not exist': [
      'ENV-1: { says: A., kind: MUST, same-as: [ENV-9] }',
      'ENV-1: same-as ENV-9 does not exist',
    ],
    'a twin of a twin': [
      'ENV-1: { says: A., kind: MUST, same-as: [ENV-2] }\nENV-2: { says: B., kind: MUST, same-as: [ENV-3] }\n' +
        'ENV-3: { says: C., kind: MUST }',
      'ENV-1: same-as ENV-2, which has no check of its own: name what ENV-2 is the same as',
    ],
    'its own twin': [
      'ENV-1: { says: A., kind: MUST, same-as: [ENV-1] }',
      'ENV-1: same-as ENV-1, which has no check of its own: name what ENV-1 is the same as',
    ],
    'twins that are not a list': [
      'ENV-1: { says: A., kind: MUST, same-as: ENV-2 }\nENV-2: { says: B., kind: MUST, same-as: [] }',
      'ENV-1: same-as must be a list of ids, not "ENV-2"',
      'ENV-2: same-as must be a list of ids, not []',
    ],
    'a twin named twice': [
      'ENV-1: { says: A., kind: MUST, same-as: [ENV-2, ENV-2] }\nENV-2: { says: B., kind: MUST }',
      'ENV-1: same-as names an id twice',
    ],
    'a twin with a reason': [
      'ENV-1: { says: A., kind: MUST, same-as: [ENV-2], untestable: It is not. }\nENV-2: { says: B., kind: MUST }',
      'ENV-1: has both same-as and untestable; the reason belongs to the requirement that it is the same as',
    ],
    'an invalid mark of what is Parley’s own': [
      'ENV-1: { says: A., kind: SHOULD, ours: text }',
      'ENV-1: ours must be one of all, msg, not "text"',
    ],
    'a demand of the contract as Parley’s own': [
      'ENV-1: { says: A., kind: MUST, ours: msg }',
      'ENV-1: a MUST of the contract is nobody’s own',
    ],
    'faults of several entries at once': [
      'ENV-1: { says: A., kind: 1 }\nENV-2: true',
      'ENV-1: kind must be one of MUST, SHOULD, MAY, not 1',
      'ENV-2: must be a mapping with says and kind',
    ],
  }
  for (const [name, [text, ...problems]] of Object.entries(faults)) {
    test(`refuse ${name}`, () => assert.deepEqual(problemsOf(text), problems))
  }

  test('refuse what is no YAML, with the place', () => {
    assert.match(problemsOf('ENV-1: { says: A.').join('\n'), /line 1/)
  })
})

describe('levels', () => {
  const levels = [
    { from: 100, until: 200 },
    { of: 'part', from: 150 },
  ]
  const requirement = { id: 'ENV-1', area: '', says: '', levels, kind: 'MUST', notes: [], sameAs: [] } as const

  test('hold from the first to the last one', () => {
    const holds = [99, 100, 200, 201].map((level) => holdsAt(requirement, level))
    assert.deepEqual(holds, [false, true, true, false])
  })

  test('hold for a part only where the whole does', () => {
    const holds = [149, 150, 200, 201].map((level) => holdsAt(requirement, level, 'part'))
    assert.deepEqual(holds, [false, true, true, false])
  })

  test('hold always without any', () => {
    assert.equal(holdsAt({ ...requirement, levels: [] }, 1), true)
  })

  test('hold for the whole where only parts have levels', () => {
    assert.equal(holdsAt({ ...requirement, levels: [{ of: 'part', from: 150 }] }, 1), true)
  })

  test('refuse a part that is not there', () => {
    assert.throws(() => holdsAt(requirement, 150, 'prat'), /ENV-1 has no part prat/)
  })
})

test('tell areas whose ids begin alike from each other', () => {
  assert.deepEqual(['SUB-1', 'SUBS-1', 'SUB-FIELD-1', 'EV-1', 'EVENTS-1', 'LEVEL-172a', 'LEVEL-PREFIX'].map(areaOf), [
    'PATCH /users/me/subscriptions/{stream_id}',
    'GET /users/me/subscriptions',
    'Subscription',
    'Events',
    'GET /events',
    'Versioning',
    'Versioning',
  ])
  assert.deepEqual(['SUB', 'SUB-', 'SUB-x', 'sub-1', 'SUB-FIELD', 'SUB-FIELDS-1'].map(areaOf), Array(6).fill(undefined))
})
