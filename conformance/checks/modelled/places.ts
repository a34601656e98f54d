import type { Account } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { hasEmptyTopic, organizationOf } from '../../kernel/messaging.ts'
import type { World } from '../../model/world.ts'

/** Where the messages of the model are sent, and by whom. All names are its own. */
export interface Places {
  readonly reader: Account
  readonly author: Account
  /** Makes a group of them. */
  readonly third: Account
  readonly open: Channel
  readonly closed: Channel
  /** Topics, in the order of their first messages, which is not that of the alphabet. */
  readonly topics: { readonly main: string; readonly other: string; readonly resolved: string }
  readonly hasEmptyTopic: boolean
  readonly showsImages: boolean
  readonly mayEdit: boolean
  /** A word of every message, and of nothing else at the server. */
  readonly mark: string
  /** Makes the reader alert. */
  readonly alert: string
}

/** Operations without which there is no model. */
export const modelOperations = [
  ...['subscribe', 'send-message', 'update-message-flags', 'add-reaction', 'remove-reaction', 'upload-file'],
  ...['add-alert-words', 'remove-alert-words', 'get-messages', 'register-queue'],
] as const

export async function placesOf(t: CheckContext): Promise<Places> {
  const { user: author, other: reader } = await t.scene()
  const third = await t.user()
  const open = await t.channel(author, [reader, third])
  const closed = await t.channel(author, [reader, third], true)
  const organization = await organizationOf(author)
  return {
    ...{ reader, author, third, open, closed },
    topics: { main: t.unique('Zebra'), other: t.unique('apple'), resolved: `✔ ${t.unique('Middle')}` },
    hasEmptyTopic: hasEmptyTopic(t, organization),
    showsImages: organization.body.realm_inline_image_preview !== false,
    mayEdit: organization.body.realm_allow_message_editing !== false,
    mark: word(t, 'zq'),
    alert: word(t, 'yk'),
  }
}

function word(t: CheckContext, beginning: string): string {
  return t.unique(beginning).replaceAll(' ', '')
}

/** The model of the places before anything is sent. @param emails by id of the person, as messages name their senders */
export function emptyWorld(
  { reader, author, third, open, closed }: Places,
  emails?: ReadonlyMap<number, string>,
): World {
  const people = [author, reader, third].map(({ userId: id, email }) => ({ id, email: emails?.get(id) ?? email }))
  return {
    readerId: reader.userId,
    people,
    channels: [
      { id: open.id, name: open.name, isPublic: true },
      { id: closed.id, name: closed.name, isPublic: false },
    ],
    ...{ messages: [], followed: [], muted: [] },
  }
}
