import { type Account, succeeded } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import { whileSet } from '../deployment/organization.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { eventOf } from '../kernel/listening.ts'
import { fetched, hasEmptyTopic, isNow, organizationOf, post, postTo } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, isSetOf, type Json, listOf } from '../wire/values.ts'
import { by, refuses, succeeds } from './outcomes.ts'

const base = { area: 'PATCH /messages/{message_id}' } as const
export const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
const loud = { send_notification_to_new_thread: true, send_notification_to_old_thread: true }
const resolved = '✔ '

export const checks: readonly WrittenCheck[] = [
  {
    id: 'moves/topics',
    title: 'a message moves to another topic, alone, with all later ones, or with all, and keeps its flags',
    requirements: [
      ...[...ids('MSG-EDIT', [2, 4, 9, 12, 13, 14, 29]), ...ids('MSG-FIELD', [28, 37, 39])],
      ...ids('MSG-HIST', [4, 8, 9, 10]),
    ],
    async run(t) {
      const { user: mover, other: reader, channel } = await t.scene()
      const { body } = await organizationOf(mover)
      const isEditable = body.realm_allow_message_editing !== false
      const hasHistory = body.realm_allow_edit_history !== false
      for (const [requirement, values, expected, mark = ''] of [
        ['MSG-EDIT-12', {}, [1]],
        ['MSG-EDIT-12', {}, [1], resolved],
        ['MSG-EDIT-13', { propagate_mode: 'change_later' }, [1, 2]],
        ['MSG-EDIT-14', { propagate_mode: 'change_all' }, [0, 1, 2]],
        ['MSG-EDIT-14', { propagate_mode: 'change_all', content: isEditable ? 'We move.' : undefined }, [0, 1, 2]],
      ] as const) {
        const from = t.unique('from')
        const to = mark === '' ? t.unique('to') : `${mark}${from}`
        const sent: number[] = []
        for (const author of [reader, mover, reader]) sent.push(await post(author, channel, from, 'Move me.'))
        const [, second = 0] = sent
        await reader.must('update-message-flags', { messages: [second], op: 'add', flag: 'starred' })
        const before = flagsOf(await fetched(reader, second))
        // The last of them moves to a topic that has messages.
        const there = expected.length === 3 ? [await post(mover, channel, to, 'I was first.')] : []
        const moved = await mover.call('update-message', { message_id: sent[1], topic: to, ...values, ...quiet })
        if (!succeeds(by(t, 'MSG-EDIT-2'), moved, 'everybody here may move messages')) return
        const seen = await Promise.all(sent.map((id) => fetched(mover, id)))
        const went = [0, 1, 2].filter((index) => seen[index]?.body.message.subject === to)
        const says = `the messages ${expected.map((one) => sent[one])} move`
        t.that(requirement, moved, went.join() === expected.join(), says)
        for (const exchange of seen.filter((_, index) => expected.some((one) => one === index))) {
          const { message } = exchange.body
          t.that('MSG-EDIT-2', exchange, message.subject === to, `\`subject\` is "${to}"`)
          if (mark === '') isDated(t, exchange)
          const [entry] = (message.edit_history ?? [{}]) as Json[]
          const isEdited = 'content' in values && isEditable && message.id === second
          if (hasHistory) {
            t.that('MSG-HIST-8', exchange, entry.prev_topic === from, `\`prev_topic\` is "${from}"`)
            t.that('MSG-HIST-9', exchange, entry.topic === to, `\`topic\` is "${to}"`)
            t.that('MSG-HIST-4', exchange, 'prev_content' in entry === isEdited, 'only where the content changed')
          }
          const { content, last_edit_timestamp: when } = message
          const isRight = content.includes('We') === isEdited
          t.that('MSG-EDIT-29', exchange, isRight, `"${isEdited ? 'We move.' : 'Move me.'}" in \`content\``)
          // Before level 365, that is also the time of a move.
          if (isEdited || t.level >= 365) {
            t.that('MSG-FIELD-37', exchange, isNow(when, exchange) === isEdited, 'the second of its edit')
          }
          t.that('MSG-HIST-10', exchange, !('prev_subject' in entry), 'no `prev_subject`')
        }
        const after = await fetched(reader, second)
        t.that('MSG-FIELD-28', after, flagsOf(after) === before, `\`flags\` are ${before}, as before the move`)
        if (mark !== '') continue
        const listed = (await messagesOf(mover, channel, to)).map((one) => one.id)
        const all = [...there, ...expected.map((one) => sent[one] ?? 0)]
        t.that(requirement, moved, isSetOf(listed, all), `the messages ${all} in "${to}"`)
      }
      const id = await post(mover, channel, t.unique('alias'), 'Move me.')
      const name = t.unique('new')
      for (const subject of [name, name.toUpperCase()]) {
        await mover.call('update-message', { message_id: id, subject, ...quiet })
        const aliased = await fetched(mover, id)
        const isSame = aliased.body.message.subject === subject
        t.that('MSG-EDIT-9', aliased, isSame, `\`subject\` is "${subject}", as requested`)
      }
      const longest = Number(body.max_topic_length)
      await mover.call('update-message', { message_id: id, topic: 'x'.repeat(longest + 1), ...quiet })
      const cut = await fetched(mover, id)
      t.that('MSG-EDIT-4', cut, [...cut.body.message.subject].length <= longest, `no more than ${longest} characters`)
    },
  },
  {
    id: 'moves/together',
    title: 'a message moves to another channel, and to the empty topic by its display name',
    requirements: ['MSG-EDIT-13', 'MSG-EDIT-26', 'EMPTY-3', ...ids('MSG-FIELD', [28, 39])],
    async run(t) {
      const { user: mover, channel } = await t.scene()
      const other = await t.channel(mover)
      const id = await post(mover, channel, t.unique('before'), 'Before.')
      await mover.must('update-message-flags', { messages: [id], op: 'add', flag: 'starred' })
      const moved = await mover.call('update-message', { message_id: id, stream_id: other.id, ...quiet })
      if (moved.status === 200) {
        const exchange = await fetched(mover, id)
        const native = await fetched(mover, await post(mover, other, t.unique('native'), 'I am from here.'))
        for (const field of ['stream_id', 'display_recipient', 'recipient_id']) {
          const wanted = native.body.message[field]
          t.that('MSG-EDIT-26', exchange, exchange.body.message[field] === wanted, `\`${field}\` is ${wanted}`)
        }
        t.that('MSG-FIELD-28', exchange, flagsOf(exchange).includes('starred'), 'the star that it had before the move')
        isDated(t, exchange)
        const from = t.unique('from')
        const sent = [await post(mover, channel, from, 'Stay.'), await post(mover, channel, from, 'Move me.')]
        const values = { stream_id: other.id, propagate_mode: 'change_later', ...quiet }
        await mover.must('update-message', { message_id: sent[1], ...values })
        const stays = await fetched(mover, sent[0] ?? 0)
        const says = `\`stream_id\` is ${channel.id}: message ${sent[0]} is older than the one that moved`
        t.that('MSG-EDIT-13', stays, stays.body.message.stream_id === channel.id, says)
      } else t.remarks.add('members may not move messages between channels here')
      const organization = await organizationOf(mover)
      if (!hasEmptyTopic(t, organization)) return
      const name = organization.body.realm_empty_topic_display_name
      await mover.must('update-message', { message_id: id, topic: name, ...quiet })
      const empty = await fetched(mover, id, { allow_empty_topic_name: true })
      t.that('EMPTY-3', empty, empty.body.message.subject === '', `\`subject\` is empty, because "${name}" is its name`)
    },
  },
  {
    id: 'moves/notices',
    title: 'a move posts an automated message on request',
    requirements: [...ids('MSG-EDIT', [16, 17, 18, 19]), 'LEVEL-152', 'MSG-FIELD-39'],
    async run(t) {
      const { user: mover, channel } = await t.scene()
      const elsewhere = await t.channel(mover)
      for (const [isElsewhere, isRenamed] of [
        [false, true],
        [true, false],
        [true, true],
      ] as const) {
        for (const [values, wantsOld, wantsNew] of [
          [undefined, false, true],
          [{ send_notification_to_new_thread: false, send_notification_to_old_thread: true }, true, false],
          [{ ...loud, propagate_mode: 'change_later' }, true, true],
          [{ ...loud, propagate_mode: 'change_all' }, true, true],
          [{ propagate_mode: 'change_all' }, false, true],
          [quiet, false, false],
        ] as const) {
          const [from, to] = [t.unique('from'), t.unique('to')]
          const id = await post(mover, channel, from, 'Move me.')
          await post(mover, channel, from, 'Leave me.')
          const place = { ...(isRenamed && { topic: to }), ...(isElsewhere && { stream_id: elsewhere.id }) }
          const exchange = await mover.call('update-message', { message_id: id, ...place, ...values })
          if (isElsewhere && isRefused(exchange)) {
            t.remarks.add('members may not move messages between channels here')
            continue
          }
          succeeded('update-message', exchange)
          const [ofOld, ofNew] = [wantsOld ? 'MSG-EDIT-16' : 'MSG-EDIT-17', wantsNew ? 'MSG-EDIT-18' : 'MSG-EDIT-19']
          const crossed = [
            [channel, to, false, ofNew],
            [elsewhere, from, false, ofOld],
          ] as const
          for (const [where, topic, isWanted, id] of [
            [channel, from, wantsOld, ofOld],
            [isElsewhere ? elsewhere : channel, isRenamed ? to : from, wantsNew, ofNew],
            ...(isElsewhere && isRenamed ? crossed : []),
          ] as const) {
            const found = (await noticesIn(mover, where, topic)).length
            const says = `${isWanted ? 'one notice' : 'no notice'} in "${topic}" of channel ${where.id}; but ${found}`
            const usual = values === undefined ? ['LEVEL-152'] : []
            for (const one of [id, ...usual]) t.that(one, exchange, found === (isWanted ? 1 : 0), says)
          }
        }
      }
      const topic = t.unique('from')
      const message_id = await post(mover, channel, topic, 'Move and resolve me.')
      await post(mover, channel, topic, 'Leave me.')
      const both = { topic: `${resolved}${t.unique('to')}`, send_notification_to_old_thread: true }
      const exchange = await mover.must('update-message', { message_id, ...both })
      const isTold = (await noticesIn(mover, channel, topic)).length > 0
      t.that('MSG-EDIT-16', exchange, isTold, `a notice in "${topic}": the message did not only get resolved`)
      isDated(t, await fetched(mover, message_id))
    },
  },
  {
    ...base,
    id: 'moves/resolving',
    title: 'a topic is resolved by a mark before its name, which is not a move',
    requirements: [...ids('STATE-TOPIC', [1, 3, 4, 5, 6, 8, 9])],
    async run(t) {
      const { user: mover, channel } = await t.scene()
      const topic = t.unique('bug')
      const sent = [await post(mover, channel, topic, 'One.'), await post(mover, channel, topic, 'Two.')]
      sent.push(await post(mover, channel, t.unique('elsewhere'), 'Three.'))
      await mover.call('update-message', { message_id: sent[2], topic, ...quiet })
      const before = await Promise.all(sent.map((id) => fetched(mover, id)))
      const steps = [
        { name: `${resolved}${topic}`, done: 'STATE-TOPIC-1', silent: 'STATE-TOPIC-4', dated: 'STATE-TOPIC-5' },
        { name: topic, done: 'STATE-TOPIC-6', silent: 'STATE-TOPIC-8', dated: 'STATE-TOPIC-9' },
      ]
      let told = 0
      for (const [index, { name, done, silent, dated }] of [...steps, ...steps].entries()) {
        // The second time the topic exists already.
        if (index > 1) await post(mover, channel, name, 'Here, too.')
        const change = { message_id: sent[1], topic: name, propagate_mode: 'change_all' }
        const changed = await mover.call('update-message', change)
        const { body } = await mover.must('get-stream-topics', { stream_id: channel.id })
        const names = body.topics.map((one: Json) => one.name)
        const others = names.filter((one: string) => one !== name && one.endsWith(topic))
        t.that(done, changed, names.includes(name) && others.length === 0, `"${name}" is listed, under no other name`)
        const automated = await noticesIn(mover, channel, name)
        t.that(silent, changed, automated.length - told <= 1, 'a notice of the mark at most, and none of a move')
        told = automated.length
        for (const { body } of before) {
          const { id, last_moved_timestamp: when } = body.message
          const exchange = await fetched(mover, id)
          const isSame = exchange.body.message.last_moved_timestamp === when
          t.that(dated, exchange, isSame, `\`last_moved_timestamp\` is ${when ?? 'absent'}, as before`)
        }
      }
      const organization = await organizationOf(mover)
      if (t.isParley) {
        const long = t.unique('long').padEnd(Number(organization.body.max_topic_length), '.')
        const message_id = await post(mover, channel, long, 'My name is cut.')
        await mover.must('update-message', { message_id, topic: `${resolved}${long}`, propagate_mode: 'change_all' })
        const cut = await fetched(mover, message_id)
        const { subject, last_moved_timestamp: moved } = cut.body.message
        const isMarked = subject.startsWith(resolved) && subject.endsWith('...')
        t.that('STATE-TOPIC-5', cut, isMarked && moved === undefined, 'the mark, a cut name, no `last_moved_timestamp`')
      }
      if (!hasEmptyTopic(t, organization)) return
      const id = await post(mover, channel, '', 'Nameless.')
      const names = [organization.body.realm_empty_topic_display_name, '', ...(t.isParley ? ['(no topic)'] : [])]
      for (const name of names) {
        const change = { message_id: id, topic: `${resolved}${name}`, propagate_mode: 'change_all' }
        const refused = await mover.call('update-message', change)
        refuses(by(t, 'STATE-TOPIC-3'), refused, 'the empty topic cannot be resolved')
      }
    },
  },
  {
    ...base,
    id: 'moves/event',
    title: 'the event of a move has the old and new place, and only what has changed',
    requirements: ['EV-OTHER-12', 'MSG-HIST-2', 'CONTRACT-AUDIENCE'],
    async run(t) {
      const { user: mover, other: reader } = await t.scene()
      const [from, to] = [await t.channel(mover, [reader]), await t.channel(mover, [reader])]
      const [orig_subject, subject] = [t.unique('from'), t.unique('to')]
      const message_ids = [await post(reader, from, orig_subject, 'One'), await post(mover, from, orig_subject, 'Two')]
      const [, message_id = 0] = message_ids
      const queue = await EventQueue.open(reader, { event_types: ['update_message'] })
      const change = { message_id, propagate_mode: 'change_all', ...quiet } as const
      const moved = await mover.call('update-message', { ...change, topic: subject, stream_id: to.id })
      if (moved.status !== 200) t.leaveOut('needs an organization in which members move messages between channels')
      await mover.must('update-message', { ...change, stream_id: from.id })
      const content = 'Third.'
      const isEdited = (await mover.call('update-message', { ...change, topic: orig_subject, content })).status === 200
      const { propagate_mode } = change
      const told = { type: 'update_message', user_id: mover.userId, message_id, message_ids, propagate_mode }
      for (const places of [
        { stream_id: from.id, new_stream_id: to.id, orig_subject, subject },
        { stream_id: to.id, new_stream_id: from.id, orig_subject: subject },
        ...(isEdited ? [{ stream_id: from.id, orig_subject: subject, subject: orig_subject, content }] : []),
      ]) {
        await eventOf(by(t, 'EV-OTHER-12'), queue, { ...told, ...places })
      }
      const closed = await t.channel(mover, [], true)
      const secret = await post(mover, closed, orig_subject, 'No secret any more.')
      await mover.must('update-message', { message_id: secret, stream_id: to.id, ...quiet })
      const ofReader = await reader.call('get-message-history', { message_id: message_ids[0] })
      for (const shown of [await fetched(reader, secret), await fetched(reader, message_ids[0] ?? 0), ofReader]) {
        const changes = listOf(shown.body.message?.edit_history ?? shown.body.message_history?.slice(1))
        const areTheirs = changes.every((one) => one.user_id === mover.userId)
        t.that('MSG-HIST-2', shown, areTheirs, `\`user_id\` is ${mover.userId}, wherever the message came from`)
      }
      const kept = t.unique('kept')
      for (const topic of [orig_subject, kept]) {
        const messages = [await post(mover, to, topic, 'Unread.')]
        await reader.must('update-message-flags', { messages, op: 'remove', flag: 'read' })
        await reader.must('update-user-topic', { stream_id: to.id, topic, visibility_policy: 1 })
      }
      await mover.must('update-message', { ...change, message_id: secret, stream_id: closed.id })
      const event_types = ['message', 'update_message_flags', 'user_topic']
      const present = await reader.must('register-queue', { event_types })
      const all: readonly Json[] = [...present.body.unread_msgs.streams, ...present.body.user_topics]
      const listed = all.filter((one) => one.stream_id === closed.id || [one.topic, one.topic_name].includes(kept))
      const isRight = listed.map((one) => one.stream_id).join() === [to.id, to.id].join()
      t.that('CONTRACT-AUDIENCE', present, isRight, `"${kept}" twice, and nothing in channel ${closed.id}`)
    },
  },
  {
    id: 'moves/refused',
    title: 'a contradictory move is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [10, 11, 60]),
    async run(t) {
      const { user: mover, other, channel } = await t.scene()
      const topic = t.unique('stays')
      const id = await post(mover, channel, topic, 'Leave me.')
      const move = (who: Account, values: object): Promise<Exchange> =>
        who.call('update-message', { message_id: id, ...quiet, ...values })
      const twice = await move(mover, { topic: t.unique('one'), subject: t.unique('two') })
      const { code, var_name1: one, var_name2: two } = twice.body
      const isNamed = twice.status === 400 && code === 'REQUEST_CONFUSING_VAR'
      t.that('MSG-EDIT-10', twice, isNamed, 'HTTP 400 and REQUEST_CONFUSING_VAR')
      const isBoth = [one, two].sort().join() === 'subject,topic'
      t.that('MSG-EDIT-10', twice, isBoth, '`var_name1` and `var_name2` are `topic` and `subject`')
      const some = await move(mover, { topic: t.unique('some'), propagate_mode: 'change_some' })
      t.that('MSG-EDIT-11', some, isRefused(some), 'a refusal of `change_some`')
      const both = { content: 'Mine now.', stream_id: channel.id }
      const foreign = await move(other, both)
      t.refusedWith('MSG-EDIT-60', foreign, "You don't have permission to edit this message")
      const own = await postTo(mover, [mover], 'To myself.')
      const unseen = await move(other, { message_id: own, ...both })
      t.refusedWith('MSG-EDIT-60', unseen, 'Invalid message(s)')
      const kept = await fetched(mover, id)
      for (const requirement of ids('MSG-EDIT', [10, 11])) {
        t.that(requirement, kept, kept.body.message.subject === topic, `\`subject\` is still "${topic}"`)
      }
    },
  },
  {
    isForAll: true,
    id: 'moves/topics-policy',
    title: 'messages move only to topics that the topics policy of the channel or organization allows',
    requirements: ids('MSG-EDIT', [5, 6, 7, 61]),
    async run(t) {
      if (t.level < 392) t.leaveOut('before level 392 channels do not say which topics they admit')
      const owner = t.person('owner') // owners may choose this on every server
      const organization = await organizationOf(owner)
      const name = String(organization.body.realm_empty_topic_display_name)
      const channel = await t.channel(owner, [], false, { topics_policy: 'disable_empty_topic' })
      const id = await post(owner, channel, t.unique('named'), 'Move me.')
      for (const [requirement, topic] of [
        ['MSG-EDIT-5', '(no topic)'],
        ['MSG-EDIT-6', ''],
        ['MSG-EDIT-7', name],
      ] as const) {
        const refused = await owner.call('update-message', { message_id: id, topic, ...quiet })
        t.that(requirement, refused, isRefused(refused), `a refusal of the topic "${topic}"`)
        // Servers that refuse the former name of the empty topic may send their former error.
        if (topic !== '(no topic)') isOfPolicy(t, refused, name)
      }
      if (t.level < 404 || !hasEmptyTopic(t, organization)) return
      const nameless = await t.channel(owner, [], false, { topics_policy: 'empty_topic_only' })
      const only = await post(owner, nameless, '', 'Move me.')
      const topic = t.unique('named')
      isOfPolicy(t, await owner.call('update-message', { message_id: only, topic, ...quiet }), name, 'empty_topic_only')
      const open = await t.channel(owner)
      const [titled, bare] = [await post(owner, open, topic, 'Move me.'), await post(owner, open, '', 'Move me.')]
      const move = (message_id: number | undefined, values: object): Promise<Exchange> =>
        owner.call('update-message', { message_id, ...values, ...quiet })
      const isMovable = (await move(titled, { stream_id: channel.id })).status === 200
      if (isMovable) {
        isOfPolicy(t, await move(titled, { stream_id: nameless.id }), name, 'empty_topic_only')
        isOfPolicy(t, await move(bare, { stream_id: channel.id }), name)
      }
      const message_id = await post(owner, open, topic, 'Move me.')
      await t.unlessDisturbed(() =>
        whileSet(owner, [owner], { topics_policy: 'disable_empty_topic' }, async () => {
          isOfPolicy(t, await move(message_id, { topic: '' }), name)
          const kept = isMovable && (await move(bare, { stream_id: nameless.id }))
          if (kept) succeeds(by(t, 'MSG-EDIT-61'), kept, 'the channel has a policy of its own')
        }),
      )
    },
  },
]

function isDated(t: CheckContext, exchange: Exchange): void {
  const isRight = isNow(exchange.body.message.last_moved_timestamp, exchange)
  t.that('MSG-FIELD-39', exchange, isRight, '`last_moved_timestamp` is the present second')
}

function flagsOf({ body }: Exchange): string {
  return body.message.flags.toSorted().join()
}

function isOfPolicy(t: CheckContext, refused: Exchange, name: string, part?: string): void {
  const { code, empty_topic_display_name: told } = refused.body
  const isSo = refused.status === 400 && code === 'BAD_REQUEST' && told === name
  t.that('MSG-EDIT-61', refused, isSo, `BAD_REQUEST, and \`empty_topic_display_name\` is "${name}"`, part)
}

/** The server's notices about moves, in a topic where only the mover writes. */
async function noticesIn(mover: Account, channel: Channel, topic: string): Promise<Json[]> {
  return (await messagesOf(mover, channel, topic)).filter((one) => one.sender_id !== mover.userId)
}

export async function messagesOf(reader: Account, channel: Channel, topic: string): Promise<Json[]> {
  const narrow = [
    { operator: 'stream', operand: channel.name },
    { operator: 'topic', operand: topic },
  ]
  const { body } = await reader.must('get-messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return body.messages
}
