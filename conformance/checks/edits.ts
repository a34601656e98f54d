import { createHash } from 'node:crypto'
import { type Account, succeeded, type Values } from '../deployment/account.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import {
  fetched,
  fetchedInList,
  hasEmptyTopic,
  isNow,
  messageOf,
  needEditing,
  organizationOf,
  post,
  postTo,
} from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isRefused, type Json, listOf } from '../wire/values.ts'
import { quiet } from './moves.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

const base = { area: 'PATCH /messages/{message_id}' } as const
/** The parts of a message that an edit may change; the topic as clients with `empty_topic_name` see it. */
interface State {
  readonly content: string
  readonly topic: string
  readonly channel: number
}

export const checks: readonly WrittenCheck[] = [
  {
    id: 'edits/content',
    title: 'an edit replaces the content of a message, and nothing else',
    requirements: [...ids('MSG-EDIT', [1, 21, 51]), 'MSG-FIELD-15', 'MSG-FIELD-37', 'MSG-FIELD-40'],
    async run(t) {
      const { author, reader, id, post } = await editable(t)
      const neighbour = await post('Beside.')
      const before = await fetched(reader, id)
      const edited = await author.call('update-message', { message_id: id, content: 'After, **bold**.' })
      if (!t.that('MSG-EDIT-21', edited, edited.status === 200, 'an edit of one’s own message')) return
      const { detached_uploads: detached } = edited.body
      t.that('MSG-EDIT-51', edited, Array.isArray(detached) && detached.length === 0, '`detached_uploads` is empty')
      const html = await fetched(reader, id)
      const { message } = html.body
      const isNew = message.content.includes('<strong>bold</strong>') && !message.content.includes('Before')
      t.that('MSG-EDIT-21', html, isNew, '`content` is the new text as HTML')
      t.that('MSG-FIELD-37', html, isNow(message.last_edit_timestamp, html), '`last_edit_timestamp` is now')
      t.that('MSG-FIELD-40', html, !('last_moved_timestamp' in message), 'no `last_moved_timestamp`')
      const { timestamp } = before.body.message
      t.that('MSG-FIELD-15', html, message.timestamp === timestamp, `\`timestamp\` is ${timestamp}, as before the edit`)
      const nowhere = await author.call('update-message', { message_id: `${neighbour}x`, content: 'After.' })
      t.that('MSG-EDIT-1', nowhere, nowhere.status !== 200, 'a refusal: the path names no message')
      const other = await fetched(reader, neighbour, { apply_markdown: false })
      const isSame = other.body.message.content === 'Beside.' && !('last_edit_timestamp' in other.body.message)
      t.that('MSG-EDIT-1', other, isSame, '"Beside.", never edited: the other message was named')
    },
  },
  {
    id: 'edits/expectation',
    title: 'an edit is refused if the message has changed in the meantime',
    requirements: ids('MSG-EDIT', [23, 24, 25]),
    async run(t) {
      const { author, reader, id } = await editable(t)
      const edit = (content: string, expected: string): Promise<Exchange> =>
        author.call('update-message', { message_id: id, content, prev_content_sha256: sha256(expected) })
      refuses(by(t, 'MSG-EDIT-24'), await edit('First.', 'Never so.'), 'the hash is that of no content the message had')
      const wrong = { content: 'First.', topic: t.unique('moved'), prev_content_sha256: sha256('Never so.') }
      const moved = await author.call('update-message', { message_id: id, ...wrong })
      refuses(by(t, 'MSG-EDIT-24'), moved, 'the hash is wrong, although the request also moves the message')
      succeeds(by(t, 'MSG-EDIT-23'), await edit('Zweitens: **über** 😀.', 'Before.'), 'the hash is that of the content')
      succeeds(by(t, 'MSG-EDIT-23'), await edit('Third.', 'Zweitens: **über** 😀.'), 'the hash is that of UTF-8')
      const late = await edit('Fourth.', 'Before.')
      t.that('MSG-EDIT-24', late, isRefused(late), 'a refusal: the hash is that of an earlier content')
      const { status, body } = late
      const isNamed =
        status === 400 && body?.code === 'EXPECTATION_MISMATCH' && body.field_name === 'prev_content_sha256'
      t.that('MSG-EDIT-25', late, isNamed, 'HTTP 400, EXPECTATION_MISMATCH and `field_name` "prev_content_sha256"')
      const raw = await fetched(reader, id, { apply_markdown: false })
      t.that('MSG-EDIT-24', raw, raw.body.message.content === 'Third.', '`content` is "Third.", as before the refusal')
    },
  },
  {
    id: 'edits/refused',
    title: 'a forbidden edit is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [37, 56, 57, 58, 62]),
    async run(t) {
      const { author, reader, id, post, topic } = await editable(t)
      const edit = (editor: Account, messageId: number, content: string): Promise<Exchange> =>
        editor.call('update-message', { message_id: messageId, content })
      const says = (requirement: string, exchange: Exchange, text: string): boolean =>
        t.that(requirement, exchange, exchange.body?.code === 'BAD_REQUEST', 'BAD_REQUEST') &&
        t.refusedWith(requirement, exchange, text)
      const foreign = await edit(reader, id, 'Not mine.')
      refusesWith(by(t, 'MSG-EDIT-37'), 'BAD_REQUEST', foreign, 'somebody else wrote it')
      says('MSG-EDIT-62', foreign, "You don't have permission to edit this message")
      for (const values of [{}, { topic }])
        says('MSG-EDIT-57', await author.call('update-message', { message_id: id, ...values }), 'Nothing to change')
      const hidden = await postTo(author, [author], 'To myself.')
      for (const unseen of [hidden, idOfNothing]) {
        says('MSG-EDIT-56', await edit(reader, unseen, 'Not to be seen.'), 'Invalid message(s)')
      }
      const poll = await post('/poll Which?\nOne\nTwo')
      says('MSG-EDIT-62', await edit(author, poll, 'No poll.'), 'Widgets cannot be edited.')
      const raw = await fetched(reader, id, { apply_markdown: false })
      const { message } = raw.body
      const isSame = message.content === 'Before.' && !('last_edit_timestamp' in message)
      t.that('MSG-EDIT-37', raw, isSame, '"Before.", never edited')
      await author.must('update-message', { message_id: id, content: ' \n\t ' })
      const blank = await fetched(reader, id, { apply_markdown: false })
      t.that('MSG-EDIT-58', blank, blank.body.message.content === '(deleted)', '`content` is "(deleted)"')
    },
  },
  {
    ...base,
    id: 'edits/history',
    title: 'the history of a message contains its earlier contents',
    requirements: [...ids('MSG-FIELD', [33, 34]), ...ids('MSG-HIST', [1, 2, 3, 5]), 'LEVEL-284'],
    also: ['MSG-FIELD-36'],
    async run(t) {
      const { author, reader, id, organization } = await editable(t)
      for (const message_id of [id, await postTo(author, [reader], 'Before.')]) {
        for (const content of ['Between, *slanted*.', 'After.']) {
          await author.must('update-message', { message_id, content })
        }
        const exchange = await fetched(reader, message_id)
        const { edit_history: history, last_edit_timestamp: lastEdit } = exchange.body.message
        const shown = historyShown(organization.body)
        if (shown !== 'all') {
          if (shown === 'none') t.that('MSG-FIELD-36', exchange, history === undefined, 'no `edit_history`')
          t.leaveOut(`needs an organization that shows edits, and this one shows ${shown}`)
        }
        const isComplete = Array.isArray(history) && history.length === 2
        if (!t.that('MSG-FIELD-33', exchange, isComplete, '`edit_history` has two objects')) return
        const [later, earlier] = history
        const is = (requirement: string, holds: boolean, expected: string): boolean =>
          t.that(requirement, exchange, holds, expected)
        const isDown = later.timestamp >= earlier.timestamp && later.timestamp === lastEdit
        const isOrdered = isDown && later.prev_content !== 'Before.' && earlier.prev_content !== 'Between, *slanted*.'
        is('MSG-FIELD-34', isOrdered, 'the last edit comes first')
        const entries: readonly Values[] = history
        const every = (holds: (entry: Values) => boolean): boolean => entries.every(holds)
        const areTheirs = every((entry) => entry.user_id === author.userId)
        for (const id of ['MSG-HIST-1', 'MSG-HIST-2'])
          is(id, areTheirs, `\`user_id\` is ${author.userId}, and not null`)
        const isSo = every((entry) => isNow(entry.timestamp, exchange))
        is('MSG-HIST-3', isSo, '`timestamp` is the present second')
        const rendered = entries.map((entry) => String(entry.prev_rendered_content)).toSorted()
        const isRendered = /^<p[^>]*>Before\.<\/p>,.*<em[^>]*>slanted<\/em>/s.test(rendered.join())
        is('MSG-HIST-5', isRendered, '`prev_rendered_content` is the HTML of what the message said before')
        const hasNone = every((entry) => !('prev_rendered_content_version' in entry))
        is('LEVEL-284', hasNone, 'no `prev_rendered_content_version`')
      }
    },
  },
  {
    id: 'edits/places',
    title: 'an edit that names an impossible place is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [3, 15, 27, 28]),
    async run(t) {
      const { user: author, other, channel } = await t.scene()
      needEditing(t, await organizationOf(author))
      const elsewhere = await t.channel(author)
      const topic = t.unique('places')
      const inChannel = await post(author, channel, topic, 'Before.')
      const direct = await postTo(author, [other], 'Before.')
      const refuses = async (requirement: string, message_id: number, values: object, why: string): Promise<void> => {
        const edited: Exchange = await author.call('update-message', { message_id, ...values })
        refusesWith(by(t, requirement), 'BAD_REQUEST', edited, why)
        const { body } = await fetched(author, message_id, { apply_markdown: false })
        const { content, stream_id, last_moved_timestamp } = body.message
        const isSame =
          content === 'Before.' &&
          stream_id === (message_id === inChannel ? channel.id : undefined) &&
          last_moved_timestamp === undefined
        t.that(requirement, edited, isSame, 'the message stays as it was')
      }
      await refuses('MSG-EDIT-3', direct, { topic: 'places' }, 'a direct message has no topic')
      await refuses('MSG-EDIT-3', direct, { topic: 'places', content: 'After.' }, 'a direct message has no topic')
      await refuses('MSG-EDIT-27', direct, { stream_id: channel.id }, 'a direct message is in no channel')
      for (const propagate_mode of ['change_later', 'change_all']) {
        await refuses('MSG-EDIT-15', inChannel, { content: 'After.', propagate_mode }, 'there is nothing to move')
      }
      const both = { content: 'After.', stream_id: elsewhere.id }
      const renamed = { topic: t.unique('renamed') }
      for (const more of [{}, { topic }, renamed, { topic, propagate_mode: 'change_all' }, { stream_id: channel.id }]) {
        await refuses('MSG-EDIT-28', inChannel, { ...both, ...more }, 'content and channel cannot change together')
      }
    },
  },
  {
    id: 'edits/two-changes',
    isCostly: true,
    title: 'the history of a message lists the later change first, for every reader',
    requirements: ['MSG-FIELD-34', ...ids('MSG-HIST', [4, 6, 7, 8, 9])],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const organization = await organizationOf(author)
      needEditing(t, organization)
      const shown = historyShown(organization.body)
      if (shown !== 'all') t.leaveOut(`needs an organization that shows edits, and this one shows ${shown}`)
      const elsewhere = await t.channel(author, [reader])
      const hasEmpty = hasEmptyTopic(t, organization)
      const nameless: string = organization.body.realm_empty_topic_display_name
      const kinds: readonly ((state: State) => Partial<State>)[] = [
        ({ content }) => ({ content: `${content} More.` }),
        () => ({ topic: t.unique('renamed') }),
        ({ content }) => ({ content: `${content} Both.`, topic: t.unique('both') }),
        ({ channel: from }) => ({ channel: from === channel.id ? elsewhere.id : channel.id }),
        ...(hasEmpty ? [() => ({ topic: '' })] : []),
      ]
      for (const changes of kinds.flatMap((first) => kinds.map((second) => [first, second]))) {
        let state: State = { content: 'Before.', topic: t.unique('two'), channel: channel.id }
        const message_id = await post(author, channel, state.topic, state.content)
        const entries: Json[] = []
        for (const change of changes) {
          const wanted = change(state)
          const { content, channel: stream_id, topic } = wanted
          if (topic === '' && state.topic === '') continue
          const values = { content, stream_id, topic: topic === '' ? nameless : topic }
          const changed = await author.call('update-message', { message_id, ...quiet, ...values })
          if (stream_id !== undefined && isRefused(changed)) {
            t.remarks.add('members may not move messages between channels here')
            continue
          }
          succeeded('update-message', changed)
          entries.unshift(entryOf(state, { ...state, ...wanted }))
          state = { ...state, ...wanted }
        }
        for (const [who, values, name] of [
          [author, hasEmpty ? { allow_empty_topic_name: true } : {}, ''],
          [reader, {}, nameless],
        ] as const) {
          const topicFor = (topic: unknown) => (topic === '' ? name : topic)
          const listed = await fetchedInList(who, message_id, values)
          for (const exchange of [await fetched(who, message_id, values), listed]) {
            const history = listOf(messageOf(exchange).edit_history)
            const [have, changed] = [history, entries].map((list) => list.map(fieldsOf).join('; '))
            const says = `\`edit_history\` with ${changed}, the latest change first`
            t.that('MSG-FIELD-34', exchange, have === changed, says)
            for (const [id, field] of fields) {
              const is = history.map((entry) => entry[field] ?? null)
              const has = entries.map((entry) => topicFor(entry[field]) ?? null)
              const says = `\`${field}\` of the entries is ${JSON.stringify(has)}, the latest first`
              t.that(id, exchange, canonical(is) === canonical(has), says)
            }
          }
        }
      }
    },
  },
]

/** The id of a message, "Before.", that its author may edit. Leaves the check out if nobody may edit. */
async function editable(t: CheckContext) {
  const { user: author, other: reader, channel } = await t.scene()
  const organization = await organizationOf(author)
  needEditing(t, organization)
  const topic = t.unique('edits')
  const postHere = (content: string): Promise<number> => post(author, channel, topic, content)
  return { author, reader, id: await postHere('Before.'), post: postHere, topic, organization }
}

/** Which earlier versions of a message the organization shows. */
function historyShown(organization: Values): unknown {
  const { realm_message_edit_history_visibility_policy: policy, realm_allow_edit_history: isShown } = organization
  return policy ?? (isShown === false ? 'none' : 'all')
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

const fields = [
  ['MSG-HIST-4', 'prev_content'],
  ['MSG-HIST-6', 'prev_stream'],
  ['MSG-HIST-7', 'stream'],
  ['MSG-HIST-8', 'prev_topic'],
  ['MSG-HIST-9', 'topic'],
] as const

function fieldsOf(entry: Json): string {
  return fields.flatMap(([, field]) => (field in entry ? [field] : [])).join(' and ')
}

function entryOf(from: State, to: State): Json {
  return {
    ...(from.content !== to.content && { prev_content: from.content }),
    ...(from.channel !== to.channel && { prev_stream: from.channel, stream: to.channel }),
    ...(from.topic !== to.topic && { prev_topic: from.topic, topic: to.topic }),
  }
}
