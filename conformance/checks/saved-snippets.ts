import { isDeepStrictEqual } from 'node:util'
import type { Account, Values } from '../deployment/account.ts'
import { EventQueue, lackOf } from '../deployment/event-queue.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isNow } from '../kernel/messaging.ts'
import { idBeyondAll, idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, succeeds } from './outcomes.ts'
import { goes, isNotTheirs, listedTo, type OwnKind, remove, shownTo, typesOf } from './own-things.ts'

const area = 'PATCH /saved_snippets/{saved_snippet_id}'
const own = ['get-saved-snippets', 'create-saved-snippet', 'update-saved-snippet', 'delete-saved-snippet'] as const
const kind: OwnKind = { one: 'saved_snippet', all: 'saved_snippets', id: 'id' }
const unknown = 'Saved snippet does not exist.'
const longest = { title: '\u{1f419}'.repeat(60), content: '\u{1f419}'.repeat(10_000) }
const changes: readonly (readonly [requirement: string, fields: Values])[] = [
  ['SNIPPET-2', { title: 'Hello' }],
  ['SNIPPET-3', { content: '*Bye.*' }],
  ['CONTRACT-EFFECT', longest],
]

export const checks: readonly Check[] = [
  {
    area,
    id: 'saved-snippets/kept',
    title: 'saving, changing and deleting a snippet is announced to its owner’s clients',
    requirements: [
      ...ids('SNIPPET', [1, 2, 3, 4, 5, 6, 7, 9]),
      ...ids('REC', [3, 4, 7]),
      'ERR-HTTP-1',
      'CONTRACT-EFFECT',
    ],
    also: own,
    async run(t) {
      const { user } = await t.scene()
      const queue = await EventQueue.open(user, typesOf(kind))
      const given = { title: t.unique('kept').slice(-40), content: '*Hello.*' }
      const made = await user.must('create-saved-snippet', given)
      const id = made.body.saved_snippet_id
      if (!t.that('REC-4', made, Number.isInteger(id), 'the ID of a new one: an integer')) return
      const { exchange: listed, row } = await listedTo(user, kind, id)
      t.that('REC-7', listed, isNow(row?.date_created, made), '`date_created` is now')
      let wanted: Values = { id, ...given, date_created: row?.date_created }
      await isTold(t, user, queue, ['add', 'REC-3'], wanted)
      const next = (await user.must('create-saved-snippet', longest)).body.saved_snippet_id
      await isTold(t, user, queue, ['add', 'REC-3'], { id: next, ...longest })
      const { row: beside } = await listedTo(user, kind, next)
      for (const [requirement, fields] of changes) {
        wanted = { ...wanted, ...fields }
        const changed = await change(user, id, fields)
        if (!t.that('SNIPPET-1', changed, changed.status === 200, 'a success: it is the caller’s')) return
        t.bareSuccess('SNIPPET-5', changed)
        await isTold(t, user, queue, ['update', requirement], wanted)
        await isStill(t, user, 'CONTRACT-EFFECT', beside)
      }
      const { row: last } = await listedTo(user, kind, id)
      succeeds(by(t, 'SNIPPET-4'), await change(user, id, {}), 'there is nothing to change')
      for (const nothing of [idOfNothing, ...(t.isParley ? [idBeyondAll] : [])]) {
        for (const fields of t.isParley ? [given, {}] : [given])
          isUnknown(t, await change(user, nothing, fields), `ID ${nothing}`)
        isUnknown(t, await remove(user, kind, nothing), `ID ${nothing}`)
      }
      await isStill(t, user, 'SNIPPET-4', last)
      for (const one of [id, next]) {
        await goes(t, by(t, 'CONTRACT-EFFECT'), user, queue, kind, one)
        if (one === id) await isStill(t, user, 'CONTRACT-EFFECT', beside)
        isUnknown(t, await change(user, one, given), 'what was deleted')
        isUnknown(t, await remove(user, kind, one), 'what was deleted')
      }
    },
  },
  {
    area,
    id: 'saved-snippets/not-theirs',
    title: 'a saved snippet of somebody else does not exist for the caller',
    requirements: ['SNIPPET-6', 'SNIPPET-7', 'ERR-HTTP-1', 'CONTRACT-EFFECT'],
    async run(t) {
      const given = { title: 'Not theirs', content: t.unique('not theirs') }
      const make = async (who: Account) => (await who.must('create-saved-snippet', given)).body.saved_snippet_id
      await isNotTheirs(t, kind, make, async (other, id) => {
        isUnknown(t, await change(other, id, { content: 'Of somebody else.' }), 'the one of somebody else')
        isUnknown(t, await remove(other, kind, id), 'the one of somebody else')
      })
    },
  },
  {
    area,
    id: 'saved-snippets/refused',
    title: 'an invalid snippet is refused',
    requirements: ['SNIPPET-8', 'CONTRACT-EFFECT'],
    async run(t) {
      const { user } = await t.scene()
      const given = { title: 'Refused', content: t.unique('refused') }
      const { saved_snippet_id } = (await user.must('create-saved-snippet', given)).body
      const before = await user.must('get-saved-snippets')
      for (const [fields, msg, isOurs] of [
        [{ title: '' }, 'title cannot be blank'],
        [{ title: ' ' }, 'title cannot be blank', true],
        [{ title: 'x'.repeat(61) }, 'title is too long (limit: 60 characters)'],
        [{ content: '' }, 'content cannot be blank'],
        [{ content: '\n' }, 'content cannot be blank', true],
        [{ content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
      ] as readonly (readonly [Values, string, true?])[]) {
        if (isOurs && !t.isParley) continue
        const changed = { saved_snippet_id, title: 'Of what is refused', content: 'Nothing is kept.', ...fields }
        for (const answer of [
          await user.call('create-saved-snippet', { ...given, ...fields }),
          await user.call('update-saved-snippet', { saved_snippet_id, ...fields }),
          await user.call('update-saved-snippet', changed),
        ]) {
          t.that('SNIPPET-8', answer, answer.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
          t.that('CONTRACT-EFFECT', answer, answer.body?.msg === msg || !t.isParley, `\`msg\` is "${msg}"`)
        }
      }
      const after = await user.must('get-saved-snippets')
      const [present, former] = [after, before].map(({ body }) =>
        listOf(body.saved_snippets).toSorted((one, other) => one.id - other.id),
      )
      t.that('CONTRACT-EFFECT', after, isDeepStrictEqual(present, former), 'those from before')
      await user.must('delete-saved-snippet', { saved_snippet_id })
    },
  },
]

function change(user: Account, saved_snippet_id: Json, fields: Values): Promise<Exchange> {
  return user.call('update-saved-snippet', { saved_snippet_id, ...fields })
}

async function isStill(t: CheckContext, user: Account, requirement: string, wanted: Json): Promise<void> {
  const { exchange, row } = await listedTo(user, kind, wanted?.id)
  t.that(requirement, exchange, isDeepStrictEqual(row, wanted), `still ${JSON.stringify(wanted)}`)
}

/** Compares the next event, the list and a registration with `wanted`. */
async function isTold(
  t: CheckContext,
  user: Account,
  queue: EventQueue,
  [op, requirement]: readonly ['add' | 'update', string],
  wanted: Values,
): Promise<void> {
  const rule = op === 'add' ? 'CONTRACT-EFFECT' : 'SNIPPET-9'
  const shown = await shownTo(by(t, rule), user, queue, kind, op, [wanted.id])
  for (const [answer, [found]] of shown) {
    const lack = lackOf(found ?? {}, wanted)
    t.that(requirement, answer, lack === undefined, `the saved snippet ${JSON.stringify(wanted)}; but ${lack}`)
  }
  const [[exchange, [told] = []] = []] = shown
  const areAll = ['content', 'date_created', 'id', 'title'].every((name) => told?.[name] !== undefined)
  if (exchange) t.that('REC-7', exchange, areAll, 'a snippet with id, title, content, date_created')
}

function isUnknown(t: CheckContext, answer: Exchange, what: string): void {
  const isSaid = answer.body?.msg === unknown || !t.isParley
  t.that('SNIPPET-7', answer, isRefused(answer) && isSaid, `a refusal, of Parley "${unknown}", of ${what}`)
  t.that('SNIPPET-6', answer, answer.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
  t.that('ERR-HTTP-1', answer, answer.status === 404, 'HTTP status 404')
}
