import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'

const [all, one, type] = ['/saved_snippets', /^\/saved_snippets\/\d+$/, 'saved_snippets']
const effect = 'CONTRACT-EFFECT'

const wrong = (
  only: string,
  name: string,
  violates: string,
  fault: Fault,
  more: Partial<SeededFault> = {},
): SeededFault => ({
  ...{ name: `saved snippets: ${name}`, only: `saved-snippets/${only}`, violates: [violates], fault },
  ...more,
})
const kept = (name: string, violates: string, fault: Fault): SeededFault => wrong('kept', name, violates, fault)
const listed = (change: (rows: Json[]) => void): Fault => ofSuccess('GET', all, (body) => change(body.saved_snippets))
const never = (op: string): Fault =>
  ofEventList((events) => events.filter((event) => event.type !== type || event.op !== op))

/** The server takes the form of a change for another. */
const misread = (name: string, violates: string, read: (form: URLSearchParams) => void): SeededFault =>
  wrong('kept', name, violates, () => undefined, {
    before({ method, form }) {
      if (method === 'PATCH') read(form)
    },
  })

/** What should be refused with this status is not. */
const takes = (name: string, violates: string, status: number): SeededFault =>
  wrong('refused', name, violates, (answer, { path }) => {
    if (path.startsWith(all) && answer.status === status) succeed(answer)
  })

/** What is deleted stays in lists. */
function undead(): Fault {
  const dead: Json[] = []
  const die = ofSuccess('DELETE', one, (_, { path }) => dead.push({ ...ghost, id: Number(path.split('/').at(-1)) }))
  const list = listed((rows) => rows.push(...dead))
  return (answer, request) => {
    die(answer, request)
    list(answer, request)
  }
}

/** A refusal leaves a snippet. */
function halfKept(): Fault {
  let isLeft = false
  const list = listed((rows) => isLeft && rows.push(ghost))
  return (answer, request) => {
    isLeft ||= request.path === all && answer.status !== 200
    list(answer, request)
  }
}

/** Whoever is told of a snippet was told of somebody else's. */
function overheard(): Fault {
  let first: Json
  return ofEvent(type, (event) => {
    first ??= event.saved_snippet
    if (event.op === 'add') event.saved_snippet = first
  })
}

/** Whoever has no snippets gets those that somebody listed before. */
function shared(): Fault {
  let seen: Json[] = []
  return listed((rows) => {
    if (rows.length === 0) rows.push(...seen)
    seen = [...rows]
  })
}

const ghost = { id: 2_000_000_000, title: 'Gone', content: 'Gone.', date_created: 1 }

export const faults: readonly SeededFault[] = [
  kept(
    'content as HTML',
    'REC-3',
    listed((rows) =>
      rows.forEach((row) => {
        row.content = '<em>one</em>'
      }),
    ),
  ),
  kept(
    'registration knows none',
    'REC-3',
    ofSuccess('POST', '/register', (body) => {
      body.saved_snippets &&= []
    }),
  ),
  kept(
    'ids as text',
    'REC-4',
    ofSuccess('POST', all, (body) => {
      body.saved_snippet_id = `${body.saved_snippet_id}`
    }),
  ),
  kept(
    'without a time',
    'REC-7',
    listed((rows) => rows.forEach((row) => void delete row.date_created)),
  ),
  kept(
    'made long ago',
    'REC-7',
    listed((rows) =>
      rows.forEach((row) => {
        row.date_created = 1
      }),
    ),
  ),
  kept('changes refused', 'SNIPPET-1', (answer, { method, path }) => {
    if (method === 'PATCH' && one.test(path)) refuse(answer)
  }),
  misread('a new title takes the content', 'SNIPPET-2', (form) => {
    if (form.has('title')) form.set('content', 'Gone.')
  }),
  misread('new content takes the title', 'SNIPPET-3', (form) => {
    if (form.has('content')) form.set('title', 'Gone')
  }),
  misread('no change is one', 'SNIPPET-4', (form) => {
    if (form.size === 0) form.set('title', 'Gone')
  }),
  kept('no change refused', 'SNIPPET-4', (answer, { method, path, parameters }) => {
    if (method === 'PATCH' && one.test(path) && parameters.size === 0) refuse(answer)
  }),
  kept(
    'a change answers more',
    'SNIPPET-5',
    ofSuccess('PATCH', one, (body) => {
      body.id = 1
    }),
  ),
  kept('changed in silence', 'SNIPPET-9', never('update')),
  kept('new ones in silence', effect, never('add')),
  kept('deleted in silence', effect, never('remove')),
  kept(
    'the newest first',
    effect,
    listed((rows) => rows.reverse()),
  ),
  kept('deleted and still listed', effect, undead()),
  kept('told to others', effect, overheard()),
  takes('unknown ones changed', 'SNIPPET-6', 404),
  takes('those of others changed', 'SNIPPET-7', 404),
  takes('too long or empty', 'SNIPPET-8', 400),
  wrong('refused', 'unknown ones with 400', 'ERR-HTTP-1', (answer) => {
    if (answer.status === 404) answer.status = 400
  }),
  wrong('refused', 'what was refused is kept', effect, halfKept()),
  wrong('refused', 'listed for others', effect, shared()),
]
