import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { type Check, ids } from '../kernel/check.ts'
import { isNow } from '../kernel/messaging.ts'
import { isBareSuccess, isRefused, type Json, listOf } from '../wire/values.ts'

const base = { area: 'PATCH /saved_snippets/{saved_snippet_id}', profile: 'events' } as const
const operations = ['get-saved-snippets', 'create-saved-snippet', 'update-saved-snippet', 'delete-saved-snippet']
const type = 'saved_snippets'
const only = { event_types: [type], fetch_event_types: [type] }
const idOfNothing = 2_147_483_646

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'saved-snippets/kept',
    title: 'a saved snippet is kept, changed and deleted, as its owner’s clients are told',
    requirements: [...ids('REC', [3, 4, 7]), ...ids('SNIPPET', [1, 2, 3, 4, 5, 9]), 'CONTRACT-EFFECT'],
    shows: operations,
    operations: [...operations, 'register-queue', 'get-events', 'delete-queue'],
    async run(t) {
      const { user, other } = await t.scene()
      const [queue, foreign] = [await EventQueue.open(user, only), await EventQueue.open(other, only)]
      const sent = { title: t.unique('snippet').slice(-40), content: '*one*' }
      // Whether blanks around a title are cut, and how the list is ordered, only Parley's document says.
      const made = await user.must('create-saved-snippet', {
        ...sent,
        title: t.isParley ? ` ${sent.title} ` : sent.title,
      })
      const { saved_snippet_id: id } = made.body
      if (!t.that('REC-4', made, Number.isInteger(id), '`saved_snippet_id` is an integer')) return
      const { saved_snippet_id: next } = (await user.must('create-saved-snippet', sent)).body
      const listed = async () => {
        const exchange = await user.must('get-saved-snippets')
        return { exchange, rows: listOf(exchange.body.saved_snippets), row: rowOf(exchange.body.saved_snippets, id) }
      }
      const { exchange, rows, row } = await listed()
      const areAll =
        Object.keys(row ?? {})
          .toSorted()
          .join() === 'content,date_created,id,title'
      t.that('REC-7', exchange, areAll && isNow(row.date_created, made), 'id, title, content, and date_created of now')
      const isInOrder = !t.isParley || rows.every((one, index) => index === 0 || one.id > rows[index - 1].id)
      t.that('CONTRACT-EFFECT', exchange, isInOrder, 'snippets by id')
      /** Holds the next event, the list and a registration against `wanted`. */
      const tells = async (op: string, silence: string, requirement: string, wanted: Values) => {
        const { event, exchange: told, lacked } = await queue.until({ type, op })
        if (!t.that(silence, told, event !== undefined, `a ${type} event; but ${lacked}`)) return
        const all = await listed()
        const registered = await user.must('register-queue', { ...only, event_types: [] })
        await user.call('delete-queue', { queue_id: registered.body.queue_id })
        for (const [answer, seen] of [
          [told, event?.saved_snippet],
          [all.exchange, all.row],
          [registered, rowOf(registered.body.saved_snippets, id)],
        ] as const) {
          t.that(requirement, answer, isDeepStrictEqual(seen, wanted), `the snippet ${JSON.stringify(wanted)}`)
        }
      }
      let wanted = { id, ...sent, date_created: row?.date_created }
      await tells('add', 'CONTRACT-EFFECT', 'REC-3', wanted)
      for (const [requirement, values] of [
        ['SNIPPET-2', { title: t.unique('changed').slice(-40) }],
        ['SNIPPET-3', { content: '*two*' }],
      ] as const) {
        const changed = await user.call('update-saved-snippet', { saved_snippet_id: id, ...values })
        if (!t.that('SNIPPET-1', changed, !isRefused(changed), 'a success: the snippet is the caller’s')) return
        t.that('SNIPPET-5', changed, isBareSuccess(changed), '`result` and `msg` alone')
        wanted = { ...wanted, ...values }
        await tells('update', 'SNIPPET-9', requirement, wanted)
      }
      const unchanged = await user.call('update-saved-snippet', { saved_snippet_id: id })
      t.that('SNIPPET-4', unchanged, !isRefused(unchanged), 'a success: nothing is to be changed')
      const same = await listed()
      t.that('SNIPPET-4', same.exchange, isDeepStrictEqual(same.row, wanted), `still ${JSON.stringify(wanted)}`)
      for (const one of [id, next]) {
        await user.must('delete-saved-snippet', { saved_snippet_id: one })
        const told = await queue.until({ type, op: 'remove', saved_snippet_id: one })
        if (!t.that('CONTRACT-EFFECT', told.exchange, !!told.event, `a ${type} event; but ${told.lacked}`)) return
        const left = await listed()
        const areLeft = [id, next].map((each) => left.rows.some((left) => left.id === each))
        const isRight = isDeepStrictEqual(areLeft, [false, one === id])
        t.that('CONTRACT-EFFECT', left.exchange, isRight, `no snippet ${one}, and those beside it`)
      }
      const { body } = await other.must('create-saved-snippet', sent)
      const heard = await foreign.until({ type })
      const isOwn = heard.event?.saved_snippet?.id === body.saved_snippet_id
      t.that('CONTRACT-EFFECT', heard.exchange, isOwn, 'of snippets one’s own alone')
      await other.must('delete-saved-snippet', body)
      for (const one of [queue, foreign]) await one.close()
    },
  },
  {
    ...base,
    profile: 'core',
    id: 'saved-snippets/refused',
    title: 'snippets that cannot be kept are refused, and those that are not the caller’s are not there',
    requirements: [...ids('SNIPPET', [6, 7, 8]), 'ERR-HTTP-1', 'CONTRACT-EFFECT'],
    operations,
    async run(t) {
      const { user, other } = await t.scene()
      const sent = { title: 'x'.repeat(60), content: 'x'.repeat(10_000) }
      const { saved_snippet_id } = (await user.must('create-saved-snippet', sent)).body
      const before = byId((await user.must('get-saved-snippets')).body)
      for (const given of [
        { title: 'x'.repeat(61) },
        { content: 'x'.repeat(10_001) },
        { title: ' ' },
        { content: '' },
      ]) {
        for (const refused of [
          await user.call('create-saved-snippet', { ...sent, ...given }),
          await user.call('update-saved-snippet', { saved_snippet_id, ...given }),
        ]) {
          t.that('SNIPPET-8', refused, refused.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
        }
      }
      for (const operation of ['update-saved-snippet', 'delete-saved-snippet']) {
        const unknown = await user.call(operation, { saved_snippet_id: idOfNothing, title: 'x' })
        t.that('SNIPPET-6', unknown, unknown.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
        const foreign = await other.call(operation, { saved_snippet_id, title: 'x' })
        for (const refused of [unknown, foreign]) {
          const isSaid = refused.body?.msg === 'Saved snippet does not exist.' || !t.isParley
          t.that('SNIPPET-7', refused, isRefused(refused) && isSaid, '`msg` is "Saved snippet does not exist."')
          t.that('ERR-HTTP-1', refused, refused.status === 404, 'HTTP status 404')
        }
      }
      const exchange = await user.must('get-saved-snippets')
      const isSame = isDeepStrictEqual(byId(exchange.body), before)
      t.that('CONTRACT-EFFECT', exchange, isSame, 'the snippets from before')
      const others = await other.must('get-saved-snippets')
      const isNone = rowOf(others.body.saved_snippets, saved_snippet_id) === undefined
      t.that('CONTRACT-EFFECT', others, isNone, 'nothing of somebody else')
      await user.must('delete-saved-snippet', { saved_snippet_id })
    },
  },
]

function byId({ saved_snippets }: Json): Json[] {
  return listOf(saved_snippets).toSorted((a, b) => a.id - b.id)
}

function rowOf(rows: unknown, id: unknown): Json {
  return listOf(rows).find((one) => one.id === id)
}
