import type { Account } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { hasEmptyTopic, organizationOf } from '../../kernel/messaging.ts'

/** The people, channels and topics of the model. The names are unique. */
export interface Places {
  readonly reader: Account
  readonly author: Account
  /** The third participant of group conversations. */
  readonly third: Account
  readonly open: Channel
  readonly closed: Channel
  /** In the order of their first messages, which is not alphabetical. */
  readonly topics: { readonly main: string; readonly other: string; readonly resolved: string }
  readonly hasEmptyTopic: boolean
  readonly showsImages: boolean
  readonly mayEdit: boolean
  /** A word in every message of the model, and nowhere else on the server. */
  readonly mark: string
  /** An alert word of the reader. */
  readonly alert: string
}

export async function placesOf(t: CheckContext): Promise<Places> {
  const { user: author, other: reader } = await t.scene()
  const third = await t.user()
  const open = await t.channel(author, [reader, third])
  const closed = await t.channel(author, [reader, third], true)
  const organization = await organizationOf(author)
  return {
    reader,
    author,
    third,
    open,
    closed,
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

/** The model before the first message. @param emails of the people by id, as in messages */
export function emptyWorld({ reader, author, third, open, closed }: Places, emails?: ReadonlyMap<number, string>) {
  const people = [author, reader, third].map(({ userId: id, email }) => ({ id, email: emails?.get(id) ?? email }))
  return {
    readerId: reader.userId,
    people,
    channels: [
      { id: open.id, name: open.name, isPublic: true },
      { id: closed.id, name: closed.name, isPublic: false },
    ],
    messages: [],
    followed: [],
    muted: [],
  }
}
