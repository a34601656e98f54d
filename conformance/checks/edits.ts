import { createHash } from 'node:crypto'
import type { Account, Values } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { fetched, isNow, needEditing, organizationOf, post, postTo } from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { by, refuses, succeeds } from './outcomes.ts'

const base = { area: 'PATCH /messages/{message_id}', profile: 'core' } as const
const operations = ['subscribe', 'send-message', 'get-message', 'register-queue', 'update-message'] as const

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'edits/content',
    title: 'an edit replaces what a message says, and nothing else',
    requirements: [...ids('MSG-EDIT', [1, 21, 51]), 'MSG-FIELD-15', 'MSG-FIELD-37', 'MSG-FIELD-40'],
    operations,
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
      const says = '`last_edit_timestamp` is the present second'
      t.that('MSG-FIELD-37', html, isNow(message.last_edit_timestamp, html), says)
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
    ...base,
    id: 'edits/expectation',
    title: 'an edit of a message that has changed in the meantime is refused',
    requirements: ids('MSG-EDIT', [23, 24, 25]),
    operations,
    async run(t) {
      const { author, reader, id } = await editable(t)
      const edit = (content: string, expected: string): Promise<Exchange> =>
        author.call('update-message', { message_id: id, content, prev_content_sha256: sha256(expected) })
      refuses(by(t, 'MSG-EDIT-24'), await edit('First.', 'Never so.'), 'the hash is that of no content the message had')
      succeeds(by(t, 'MSG-EDIT-23'), await edit('Zweitens: **über** 😀.', 'Before.'), 'the hash is that of the content')
      const next = await edit('Third.', 'Zweitens: **über** 😀.')
      t.that('MSG-EDIT-23', next, next.status === 200, 'success: the hash is that of the content, as UTF-8')
      const late = await edit('Fourth.', 'Before.')
      t.that('MSG-EDIT-24', late, late.body?.result === 'error', 'a refusal: the hash is that of an earlier content')
      const { status, body } = late
      const isNamed =
        status === 400 && body?.code === 'EXPECTATION_MISMATCH' && body.field_name === 'prev_content_sha256'
      t.that('MSG-EDIT-25', late, isNamed, 'HTTP 400, EXPECTATION_MISMATCH and `field_name` "prev_content_sha256"')
      const raw = await fetched(reader, id, { apply_markdown: false })
      t.that('MSG-EDIT-24', raw, raw.body.message.content === 'Third.', '`content` is "Third.", as before the refusal')
    },
  },
  {
    ...base,
    id: 'edits/refused',
    title: 'an edit that is not allowed is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [37, 56, 57, 58, 62]),
    operations,
    async run(t) {
      const { author, reader, id, post } = await editable(t)
      const edit = (editor: Account, messageId: number, content?: string): Promise<Exchange> =>
        editor.call('update-message', { message_id: messageId, content })
      const says = (requirement: string, exchange: Exchange, text: string): boolean =>
        t.that(requirement, exchange, exchange.body?.code === 'BAD_REQUEST', 'BAD_REQUEST') &&
        t.refusedWith(requirement, exchange, text)
      const foreign = await edit(reader, id, 'Not mine.')
      t.that('MSG-EDIT-37', foreign, foreign.body?.code === 'BAD_REQUEST', 'BAD_REQUEST: somebody else wrote it')
      says('MSG-EDIT-62', foreign, "You don't have permission to edit this message")
      says('MSG-EDIT-57', await edit(author, id), 'Nothing to change')
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
    title: 'a message tells what it said before its edits',
    requirements: [...ids('MSG-FIELD', [33, 34]), ...ids('MSG-HIST', [1, 2, 3, 4, 5]), 'LEVEL-284'],
    also: ['MSG-FIELD-36'],
    operations,
    async run(t) {
      const { author, reader, id, organization } = await editable(t)
      for (const content of ['Between, *slanted*.', 'After.']) {
        await author.must('update-message', { message_id: id, content })
      }
      const exchange = await fetched(reader, id)
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
      for (const id of ['MSG-HIST-1', 'MSG-HIST-2']) is(id, areTheirs, `\`user_id\` is ${author.userId}, and not null`)
      const isSo = every((entry) => isNow(entry.timestamp, exchange))
      is('MSG-HIST-3', isSo, '`timestamp` is the present second')
      const sources = entries.map((entry) => entry.prev_content).toSorted()
      is(
        'MSG-HIST-4',
        sources.join() === 'Before.,Between, *slanted*.',
        '`prev_content` is what the message said before',
      )
      const rendered = entries.map((entry) => String(entry.prev_rendered_content)).toSorted()
      const isRendered = rendered.join().startsWith('<p>Before.</p>,') && rendered.join().includes('<em>slanted</em>')
      is('MSG-HIST-5', isRendered, '`prev_rendered_content` is the HTML of what the message said before')
      is(
        'LEVEL-284',
        every((entry) => !('prev_rendered_content_version' in entry)),
        'no `prev_rendered_content_version`',
      )
    },
  },
]

interface Editable {
  readonly author: Account
  readonly reader: Account
  /** Id of a message with the content `Before.` */
  readonly id: number
  /** Sends more messages of the author to the same topic. */
  readonly post: (content: string) => Promise<number>
  readonly organization: Exchange
}

/** A message that its author may edit. Left out if the organization lets nobody edit. */
async function editable(t: CheckContext): Promise<Editable> {
  const { user: author, other: reader, channel } = await t.scene()
  const organization = await organizationOf(author)
  needEditing(t, organization)
  const topic = t.unique('edits')
  const postHere = (content: string): Promise<number> => post(author, channel, topic, content)
  return { author, reader, id: await postHere('Before.'), post: postHere, organization }
}

/** What the organization shows of earlier versions of a message. */
export function historyShown(organization: Values): unknown {
  const { realm_message_edit_history_visibility_policy: policy, realm_allow_edit_history: isShown } = organization
  return policy ?? (isShown === false ? 'none' : 'all')
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
