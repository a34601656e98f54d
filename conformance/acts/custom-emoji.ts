import type { Account } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { nothing, ourKind, some } from '../laws/action-kind.ts'
import { listOf } from '../wire/values.ts'
import type { Naming, Requests } from './right-request.ts'

const FRAME = ',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0'

/** A GIF of one pixel with that many frames. All of its bytes are ASCII, because files in requests are text here. */
export function pictureOf(frames: number): string {
  return `GIF89a\x01\0\x01\0\0\0\0${FRAME.repeat(frames)};`
}

/** A name that no emoji has. */
export function newEmojiName(t: Naming): string {
  return t
    .unique('emoji')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
}

export interface Emoji {
  readonly id: string
  readonly name: string
  readonly source_url: string
  readonly still_url: string | null
}

/** The listed emoji with this name, unless it is deactivated. */
export async function emojiNamed(reader: Account, name: string): Promise<Emoji | undefined> {
  const { body } = await reader.must('get-custom-emoji')
  return listOf(Object.values(body.emoji)).find((one) => one.name === name && one.deactivated !== true) as
    | Emoji
    | undefined
}

async function addedEmoji(user: Account, t: CheckContext, frames: number): Promise<Emoji> {
  const emoji_name = newEmojiName(t)
  await user.must('add-custom-emoji', { emoji_name, file: pictureOf(frames) })
  const emoji = await emojiNamed(user, emoji_name)
  if (!emoji) throw new Error(`there is no emoji ${emoji_name}`)
  return emoji
}

/** Name of the file in the address of a picture. */
export function fileNameOf(url: string | null): string | undefined {
  return url?.replace(/\?.*$/, '').split('/').at(-1)
}

export const requests: Requests = {
  'add-custom-emoji': (_, t) => ({ emoji_name: newEmojiName(t), file: pictureOf(1) }),
  'deactivate-custom-emoji': async ({ user }, t) => ({ emoji_name: (await addedEmoji(user, t, 1)).name }),
  'get-emoji-picture': async ({ user }, t) => ({ file_name: fileNameOf((await addedEmoji(user, t, 1)).source_url) }),
  'get-still-emoji-picture': async ({ user }, t) => ({
    file_name: fileNameOf((await addedEmoji(user, t, 2)).still_url),
  }),
}

export const actions = [
  ourKind('add custom emoji', nothing, async (world, { who }) => {
    const emoji_name = newEmojiName(world)
    const added = await world.person(who).call('add-custom-emoji', { emoji_name, file: pictureOf(1) })
    const remove = () => world.manager()?.call('deactivate-custom-emoji', { emoji_name })
    return world.keep('custom emoji', added, emoji_name, remove)
  }),
  ourKind(
    'deactivate custom emoji',
    ({ manager }) => ({ by: manager, emoji: some }),
    async (world, { by, emoji }) => {
      const names = world.kept<string>('custom emoji')
      const emoji_name = names[emoji % names.length]
      if (emoji_name === undefined) return undefined
      const answer = await world.manager(by)?.call('deactivate-custom-emoji', { emoji_name })
      if (answer?.status === 200) names.splice(names.indexOf(emoji_name), 1)
      return answer
    },
  ),
]
