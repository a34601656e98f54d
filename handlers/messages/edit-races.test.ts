import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { edit, groundOf, noticesIn, sendAll, topics } from './edits-testing.ts'

/** Each race of two concurrent requests is repeated, because their order is random. */
const ROUNDS = 4

interface Scene {
  /** The sender of the messages. */
  readonly author: ApiClient
  readonly mover: ApiClient
  readonly owner: ApiClient
  /** Subscribed to the private channel with the messages, until unsubscribed. */
  readonly reader: ApiClient
  readonly from: { readonly name: string; readonly id: number }
  readonly to: { readonly name: string; readonly id: number }
  /** Messages of the topic `here`, in order. */
  readonly ids: readonly [number, number, number]
}
type Call = (scene: Scene) => Promise<Answer>

const move =
  (change: (scene: Scene) => object): Call =>
  (scene) =>
    edit(scene.mover, scene.ids[0], {
      send_notification_to_old_thread: true,
      propagate_mode: 'change_all',
      ...change(scene),
    })

const write =
  (content: string): Call =>
  ({ author, ids }) =>
    edit(author, ids[1], { content })
const mention: Call = ({ author, reader, ids }) => edit(author, ids[1], { content: `@**|${reader.userId}**` })
const rewrite: Call = ({ author, ids }) =>
  edit(author, ids[1], { content: 'Both.', topic: 'rewritten', propagate_mode: 'change_later' })
const rename = move(() => ({ topic: 'there' }))
const changeChannel = move(({ to }) => ({ stream_id: to.id }))
const remove: Call = ({ owner, ids }) => owner.delete(`/messages/${ids[1]}`)
const leave: Call = ({ reader, from }) =>
  reader.delete('/users/me/subscriptions', { subscriptions: JSON.stringify([from.name]) })

const PAIRS: readonly (readonly [name: string, one: Call, other: Call])[] = [
  ['two edits', write('First.'), write('Second.')],
  ['an edit and a move', write('Changed.'), rename],
  ['a mention and a move out of sight of whom it names', mention, changeChannel],
  ['a mention and a reader who leaves', mention, leave],
  ['an edit that moves, and a move', rewrite, rename],
  ['an edit that moves, and an edit', rewrite, write('Second.')],
  ['an edit that moves, and a deletion', rewrite, remove],
  ['an edit and a reader who leaves', write('Not for you.'), leave],
]

onEachDatabase('concurrent changes of a message', (dialect) => {
  const ground = groundOf(sharedParley(dialect))

  async function scene(): Promise<Scene> {
    const { server, mover, other: author } = await ground()
    const [owner, reader] = [server.as('owner'), server.as('moderator')]
    const place = (people: readonly ApiClient[]) =>
      server.newChannel(people, { invite_only: true, history_public_to_subscribers: true })
    const [from, to] = [await place([mover, author, owner, reader]), await place([mover, author, owner])]
    const ids = (await sendAll(author, from.name, 'here', 3)) as [number, number, number]
    return { author, mover, owner, reader, from, to, ids }
  }

  for (const [name, one, other] of PAIRS) {
    test(`${name} end as if one had come after the other`, async () => {
      const [forth, back] = [await scene(), await scene()]
      const inTurn = [await outcome(forth, [await one(forth), await other(forth)])]
      const first = await other(back)
      inTurn.push(await outcome(back, [await one(back), first]))
      for (let round = 0; round < ROUNDS; round += 1) {
        const here = await scene()
        const both = round % 2 === 0 ? [one(here), other(here)] : [other(here), one(here)].reverse()
        const seen = await outcome(here, (await Promise.all(both)) as [Answer, Answer])
        const isSerial = inTurn.some((expected) => JSON.stringify(expected) === JSON.stringify(seen))
        assert.ok(isSerial, `${JSON.stringify(seen, null, 1)}\nis none of ${JSON.stringify(inTurn, null, 1)}`)
      }
    })
  }
})

/** The view of the mover and of the reader afterwards, in a form that can be compared between scenes. */
async function outcome({ mover, reader, from, to, ids }: Scene, answers: readonly [Answer, Answer]) {
  const seenBy = async (who: ApiClient) => {
    const found = await Promise.all(ids.map((id) => who.get(`/messages/${id}`, { apply_markdown: false })))
    return found.map(({ status, body }) =>
      status === 200
        ? {
            place: [body.message.stream_id === from.id ? 'from' : 'to', body.message.subject],
            content: body.message.content,
            flags: body.message.flags,
            changes: (body.message.edit_history ?? []).map((entry: object) => Object.keys(entry).toSorted()),
          }
        : body.code,
    )
  }
  const topicsOf = async ({ name, id }: Scene['from']) =>
    await Promise.all(
      (await topics(mover, id)).toSorted().map(async (topic) => [topic, (await noticesIn(mover, name, topic)).length]),
    )
  const { unread_msgs: unread } = await reader.must('POST', '/register', {
    event_types: ['message', 'update_message_flags'],
  })
  const waiting = unread.streams.filter(({ stream_id: id }: { stream_id: number }) => [from.id, to.id].includes(id))
  return {
    answers: answers.map(({ status, body }) => [status, body.code]),
    mover: await seenBy(mover),
    reader: await seenBy(reader),
    topics: [await topicsOf(from), await topicsOf(to)],
    unread: waiting.map((one: { stream_id: number; topic: string; unread_message_ids: number[] }) => [
      one.stream_id === from.id ? 'from' : 'to',
      one.topic,
      one.unread_message_ids.map((id) => (ids.includes(id) ? ids.indexOf(id) : 'notice')),
    ]),
  }
}
