import { isDeepStrictEqual } from 'node:util'
import type { Account, Values } from '../deployment/account.ts'
import { EventQueue, lackOf } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { hasEmptyTopic, isNow, organizationOf } from '../kernel/messaging.ts'
import { idBeyondAll, idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'
import { goes, isNotTheirs, type OwnKind, remove, shownTo, typesOf } from './own-things.ts'

const base = { area: 'POST /drafts' } as const
const kind: OwnKind = { one: 'draft', all: 'drafts', id: 'id' }
const types = typesOf(kind)
/** Orders by time, by sending and by name differ. */
const [early, late] = [1_500_000_000, 1_600_000_000]

const draft = (more: Values = {}): Values => ({ type: '', to: [], topic: '', content: 'Not sent yet.', ...more })

export const checks: readonly WrittenCheck[] = [
  {
    id: 'drafts/create',
    title: 'a draft is returned as it was sent, in answers, lists and events',
    requirements: [
      ...ids('DRAFT', [2, 4, 5]),
      ...ids('DRAFT-FIELD', [2, 3, 6, 7, 9, 10, 14, 15]),
      ...['EV-OTHER-7', 'CONTRACT-EFFECT'],
    ],
    also: ['create-drafts', 'get-drafts'],
    async run(t) {
      const { user, other, channel } = await t.scene()
      const queue = await EventQueue.open(user, types)
      const more = [await t.userIfAny(), await t.userIfAny()].filter((one) => one !== undefined)
      const people = [other, ...more].map(({ userId }) => userId).sort((a, b) => a - b)
      const topic = `✔ ${t.unique('drafts').slice(-40)}`
      const sent: readonly Values[] = [
        draft({ type: 'stream', to: [channel.id], topic, content: 'b', timestamp: late }),
        draft({ type: 'private', to: [other.userId], topic: 'of no use', content: 'a', timestamp: early }),
        draft({ type: 'private', to: people.toReversed(), content: 'c', timestamp: late + 1 }),
        draft({ content: 'd' }),
        draft({ content: '*e*', timestamp: early + 1 }),
        draft({ type: 'private', to: [user.userId], content: 'g' }),
      ]
      const changed = [{}, { topic: '' }, { to: people }]
      const kept = sent.map((one, index): Values => ({ ...one, ...changed[index] }))
      const made = await user.must('create-drafts', { drafts: sent })
      const madeIds = listOf(made.body.ids)
      const areIds = new Set(madeIds).size === sent.length && madeIds.every(Number.isInteger)
      if (!t.that('DRAFT-2', made, areIds, `${sent.length} different integers in \`ids\``)) return
      const shown = await shownTo(by(t, 'DRAFT-4'), user, queue, kind, 'add', madeIds)
      const [[exchange, told] = []] = shown
      if (exchange === undefined) return
      for (const [answer, found] of shown) {
        const says = `drafts ${madeIds} in the order of \`ids\`: ${JSON.stringify(kept.map(({ content }) => content))}`
        const isInOrder = found.every((one, index) => one?.content === kept[index]?.content)
        if (!t.that('DRAFT-5', answer, isInOrder, says)) continue
        for (const [requirement, index, names] of [
          ['DRAFT-FIELD-2', 0, ['type']],
          ['DRAFT-FIELD-2', 3, ['type']],
          ['DRAFT-FIELD-9', 0, ['topic']],
          ['CONTRACT-EFFECT', 0, ['to']],
          ['DRAFT-FIELD-3', 1, ['type', 'to']],
          ['DRAFT-FIELD-6', 2, ['type', 'to']],
          ['DRAFT-FIELD-3', 5, ['type', 'to']],
          ['DRAFT-FIELD-10', 1, ['topic']],
          ['DRAFT-FIELD-14', 0, ['timestamp']],
          ['DRAFT-FIELD-14', 1, ['timestamp']],
        ] as const) {
          const wanted = Object.fromEntries(names.map((name) => [name, kept[index]?.[name]]))
          const has = Object.fromEntries(names.map((name) => [name, found[index]?.[name]]))
          const isSame = canonical(has) === canonical(wanted)
          t.that(requirement, answer, isSame, `${JSON.stringify(wanted)} in draft ${madeIds[index]}`)
        }
        const { timestamp } = found[3] ?? {}
        const expected = '`timestamp` of the fourth is the time at which it was saved'
        t.that('DRAFT-FIELD-15', answer, isNow(timestamp, made), expected)
      }
      const isWhole = hasAllFields(told?.[0])
      t.that('EV-OTHER-7', exchange, isWhole, 'drafts with id, type, to, topic, content, timestamp')
      const all = await listed(user)
      const times = all.drafts.map(({ timestamp }: Json) => timestamp)
      const isByTime = !t.isParley || times.every((time, index) => index === 0 || time >= times[index - 1])
      t.that('CONTRACT-EFFECT', all.exchange, isByTime, 'drafts by the time of their last edit')
      const unaddressed = await user.call('create-drafts', { drafts: [draft({ to: [channel.id], content: 'f' })] })
      t.that('DRAFT-FIELD-7', unaddressed, unaddressed.status === 200, 'a draft: without a type, `to` is of no use')
      const present = await user.must('get-drafts')
      const one = listOf(present.body.drafts).find(({ id }) => listOf(unaddressed.body?.ids).includes(id))
      t.that('DRAFT-FIELD-7', present, listOf(one?.to).length === 0, 'an empty `to` of the draft without a type')
      for (const id of [...madeIds, ...listOf(unaddressed.body?.ids)]) await user.must('delete-draft', { draft_id: id })
    },
  },
  {
    ...base,
    id: 'drafts/kept',
    title: 'replacing and deleting a draft is announced to its owner’s clients',
    requirements: ['STATE-OTHER-2', 'EV-OTHER-7', 'DRAFT-FIELD-14', 'ERR-HTTP-1', 'CONTRACT-EFFECT'],
    also: ['update-draft', 'delete-draft'],
    async run(t) {
      const { user, channel, topic, people } = await t.scene()
      const queue = await EventQueue.open(user, types)
      const longest = { content: '\u{1f419}'.repeat(limitsIn(await organizationOf(user)).longestContent) }
      const sent = [draft({ timestamp: early }), draft(longest)]
      const [id, next] = listOf((await user.must('create-drafts', { drafts: sent })).body.ids)
      const { exchange: first, drafts } = await listed(user)
      const beside = drafts.find((one) => one.id === next)
      t.that('CONTRACT-EFFECT', first, beside?.content === longest.content, 'the longest content as it was sent')
      const to = people.slice(1).map(({ userId }) => userId)
      for (const [requirement, fields] of [
        ['STATE-OTHER-2', { type: 'stream', to: [channel.id], topic, content: 'one', timestamp: early }],
        ['STATE-OTHER-2', { type: to.length > 0 ? 'private' : '', to, content: 'two', timestamp: early + 1 }],
        ['DRAFT-FIELD-14', { content: 'from the beginning', timestamp: 0 }],
        // Other servers may omit the writer.
        ...(t.isParley ? [['STATE-OTHER-2', { type: 'private', to: [user.userId], content: 'own' }] as const] : []),
        ['STATE-OTHER-2', { content: 'three' }],
        ['CONTRACT-EFFECT', longest],
      ] as readonly (readonly [string, Values])[]) {
        const changed = await change(user, id, draft(fields))
        if (!t.that('STATE-OTHER-2', changed, changed.status === 200, 'a success: it is the caller’s')) return
        const shown = await shownTo(by(t, 'STATE-OTHER-2'), user, queue, kind, 'update', [id])
        const [[exchange, [told] = []] = []] = shown
        if (exchange === undefined) return
        const { timestamp } = told ?? {}
        const wanted = { id, ...draft({ timestamp, ...fields }) }
        const all = await listed(user)
        const { count = all.drafts.length } = all.exchange.body
        t.that('CONTRACT-EFFECT', all.exchange, count === all.drafts.length, '`count` of the drafts that are listed')
        for (const [answer, [found]] of shown) {
          const lack = lackOf(found ?? {}, wanted)
          t.that(requirement, answer, lack === undefined, `the draft ${JSON.stringify(wanted)}; but ${lack}`)
        }
        const isWhole = hasAllFields(told)
        const isTimely = 'timestamp' in fields || isNow(timestamp, changed)
        t.that('EV-OTHER-7', exchange, isWhole && isTimely, 'a draft with all fields, `timestamp` of now unless given')
        const present = all.drafts.find((one) => one.id === next)
        t.that('CONTRACT-EFFECT', all.exchange, isDeepStrictEqual(present, beside), 'the draft beside it as it was')
      }
      for (const one of [id, next]) {
        await goes(t, by(t, 'STATE-OTHER-2'), user, queue, kind, one)
        const left = await listed(user)
        const isKept = one === next || left.drafts.some((each) => isDeepStrictEqual(each, beside))
        t.that('CONTRACT-EFFECT', left.exchange, isKept, 'the draft beside it as it was')
      }
      for (const nothing of [id, next, idOfNothing, ...(t.isParley ? [idBeyondAll] : [])]) {
        isUnknown(t, await change(user, nothing, draft()), `ID ${nothing}`)
        isUnknown(t, await remove(user, kind, nothing), `ID ${nothing}`)
      }
    },
  },
  {
    ...base,
    id: 'drafts/not-theirs',
    title: 'a draft of somebody else does not exist for the caller',
    requirements: ['STATE-OTHER-2', 'ERR-HTTP-1', 'CONTRACT-EFFECT'],
    async run(t) {
      const make = async (who: Account) => (await who.must('create-drafts', { drafts: [draft()] })).body.ids[0]
      await isNotTheirs(t, kind, make, async (other, id) => {
        isUnknown(t, await change(other, id, draft({ content: 'Of somebody else.' })), 'the one of somebody else')
        isUnknown(t, await remove(other, kind, id), 'the one of somebody else')
      })
    },
  },
  {
    id: 'drafts/refused',
    title: 'an invalid draft is refused together with the others of its request',
    requirements: [...ids('DRAFT', [1, 3, 7, 8]), ...ids('DRAFT-FIELD', [1, 2, 4, 8, 11, 12, 13]), 'CONTRACT-EFFECT'],
    also: ['create-drafts'],
    async run(t) {
      const { user, channel } = await t.scene()
      const { body } = await user.must('create-drafts', { drafts: [draft({ content: 'Stays.', timestamp: early })] })
      const [draft_id] = listOf(body.ids)
      const before = (await listed(user)).drafts
      const toChannel = { type: 'stream', to: [channel.id], topic: 'drafts' }
      const none = 'Must specify exactly 1 channel ID for channel messages'
      for (const [requirement, given, msg] of [
        ['DRAFT-FIELD-1', { type: undefined }],
        ['DRAFT-FIELD-2', { type: 'x' }],
        ['DRAFT-FIELD-4', { to: undefined }],
        ['DRAFT-FIELD-4', { to: channel.id }],
        ['DRAFT-FIELD-4', { to: ['x'] }],
        ['DRAFT-3', { ...toChannel, to: [] }, none],
        ['DRAFT-3', { ...toChannel, to: [channel.id, channel.id] }, none],
        ['DRAFT-FIELD-8', { topic: undefined }],
        ['DRAFT-FIELD-8', { topic: 1 }],
        ['DRAFT-FIELD-11', { ...toChannel, topic: 'a\0b' }, 'Topic must not contain null bytes'],
        ['DRAFT-FIELD-12', { content: undefined }],
        ['DRAFT-FIELD-12', { content: 1 }],
        ['DRAFT-FIELD-13', { content: 'a\0b' }],
        ['DRAFT-7', { timestamp: -1 }, 'Timestamp must not be negative.'],
        ['DRAFT-7', { content: ' ' }, 'drafts[1]["content"] cannot be blank'],
        ['DRAFT-8', { x: 1 }, 'Argument "x" at drafts[1] is unexpected'],
        ['CONTRACT-EFFECT', { ...toChannel, to: [idOfNothing] }],
        ['CONTRACT-EFFECT', { type: 'private', to: [idOfNothing] }],
      ] as readonly (readonly [string, Values, string?])[]) {
        const refused = await user.call('create-drafts', { drafts: [draft(), draft(given)] })
        t.that(requirement, refused, isRefused(refused), 'a refusal')
        if (requirement === 'DRAFT-3') {
          t.that('DRAFT-3', refused, refused.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
        }
        if (msg !== undefined) t.refusedWith(requirement === 'DRAFT-8' ? requirement : 'DRAFT-7', refused, msg)
        const unchanged = await user.call('update-draft', { draft_id, draft: draft(given) })
        t.that(requirement, unchanged, isRefused(unchanged), 'a refusal')
      }
      refuses(by(t, 'DRAFT-1'), await user.call('create-drafts', { drafts: 'abc' }), 'that is not a list in JSON')
      const after = await listed(user)
      t.that('CONTRACT-EFFECT', after.exchange, isDeepStrictEqual(after.drafts, before), 'the drafts from before')
      await user.must('delete-draft', { draft_id })
    },
  },
  {
    id: 'drafts/long',
    title: 'long texts of drafts are truncated, and the empty topic is accepted under its display name',
    requirements: ['DRAFT-9', 'EMPTY-7'],
    async run(t) {
      const { user, channel } = await t.scene()
      const toChannel = { type: 'stream', to: [channel.id] }
      const organization = await organizationOf(user)
      const { longestTopic, longestContent } = limitsIn(organization)
      const long = { topic: 't'.repeat(longestTopic + 1), content: 'x'.repeat(longestContent + 1) }
      const emptyTopic = hasEmptyTopic(t, organization) ? organization.body.realm_empty_topic_display_name : undefined
      const named = emptyTopic === undefined ? [] : [draft({ ...toChannel, topic: emptyTopic })]
      const fitting = { topic: 't'.repeat(longestTopic), content: 'x'.repeat(longestContent) }
      const sent = [draft({ ...toChannel, ...long }), draft({ ...toChannel, ...fitting }), draft(), ...named]
      const { body } = await user.must('create-drafts', { drafts: sent })
      for (const one of named) await change(user, body.ids[2], one)
      const { exchange, drafts } = await listed(user)
      const [cut, whole, ...empty] = listOf(body.ids).map((id) => drafts.find((one: Json) => one.id === id))
      for (const [name, whole, most] of [
        ['topic', long.topic, longestTopic],
        ['content', long.content, longestContent],
      ] as const) {
        const text = String(cut?.[name])
        const isCut =
          text.length === most && text.slice(0, most / 2) === whole.slice(0, most / 2) && !whole.startsWith(text)
        t.that('DRAFT-9', exchange, isCut, `${most} characters of \`${name}\`, with a sign that there were more`)
      }
      const isWhole = whole?.topic === fitting.topic && whole?.content === fitting.content
      t.that('DRAFT-9', exchange, isWhole, `${longestTopic} and ${longestContent} characters as they were sent`)
      if (emptyTopic === undefined) t.remarks.add('EMPTY-7: not observable here: no topic is empty')
      else {
        const areEmpty = empty.every((one) => one?.type === 'stream' && one.topic === '')
        t.that('EMPTY-7', exchange, areEmpty, 'the empty topic in the last two drafts, one of which was changed')
      }
      for (const draft_id of listOf(body.ids)) await user.must('delete-draft', { draft_id })
    },
  },
  {
    id: 'drafts/unkept',
    title: 'a user who disabled the synchronization of drafts cannot store any',
    requirements: ['DRAFT-6', 'CONTRACT-EFFECT'],
    also: ['update-settings'],
    async run(t) {
      const user = await t.newUser()
      for (const together of [{}, { translate_emoticons: true }, { translate_emoticons: true, color_scheme: 2 }]) {
        const values = user.known('update-settings', together)
        await user.must('update-settings', { enable_drafts_synchronization: true, translate_emoticons: false })
        const [draft_id] = listOf((await user.must('create-drafts', { drafts: [draft()] })).body.ids)
        await user.must('update-settings', { enable_drafts_synchronization: false, ...values })
        for (const refused of [
          await user.call('create-drafts', { drafts: [draft()] }),
          await user.call('get-drafts'),
          await user.call('update-draft', { draft_id, draft: draft() }),
          await user.call('delete-draft', { draft_id }),
        ]) {
          t.refusedWith('DRAFT-6', refused, 'User has disabled synchronizing drafts.')
        }
        await user.must('update-settings', { enable_drafts_synchronization: true })
        const { exchange, drafts } = await listed(user)
        const says = `no drafts: they went with the setting, changed together with ${JSON.stringify(values)}`
        t.that('CONTRACT-EFFECT', exchange, drafts.length === 0, says)
      }
    },
  },
]

async function listed(user: Account): Promise<{ readonly exchange: Exchange; readonly drafts: readonly Json[] }> {
  const exchange = await user.must('get-drafts')
  return { exchange, drafts: listOf(exchange.body.drafts) }
}

/** The longest texts that are stored as they were sent. DRAFT-9 has those of servers that do not tell theirs. */
function limitsIn({ body }: Exchange): { readonly longestTopic: number; readonly longestContent: number } {
  return { longestTopic: body.max_topic_length ?? 60, longestContent: body.max_message_length ?? 10_000 }
}

function hasAllFields(one: Json): boolean {
  return ['content', 'id', 'timestamp', 'to', 'topic', 'type'].every((name) => one?.[name] !== undefined)
}

function change(user: Account, draft_id: Json, draft: Values): Promise<Exchange> {
  return user.call('update-draft', { draft_id, draft })
}

function isUnknown(t: CheckContext, answer: Exchange, what: string): void {
  const says = 'Draft does not exist'
  const isSaid = answer.body?.msg === says || !t.isParley
  t.that('STATE-OTHER-2', answer, isRefused(answer) && isSaid, `a refusal, of Parley "${says}", of ${what}`)
  t.that('ERR-HTTP-1', answer, answer.status === 404, 'HTTP status 404')
}
