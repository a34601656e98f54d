import { emojiNamed, newEmojiName, pictureOf } from '../../acts/custom-emoji.ts'
import { described } from '../../deployment/described.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { heardOf, listen } from '../../kernel/listening.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import { anybody } from '../../kernel/people-of-roles.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses, refusesWith, succeeds } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    [
      ...(['add-custom-emoji', 'deactivate-custom-emoji', 'get-custom-emoji'] as const),
      ...['get-emoji-picture', 'get-still-emoji-picture'],
    ],
    'custom emoji are added and deactivated, everybody is told, and their images can be fetched',
    async (t, shows, { user, other, channel }) => {
      const queue = await listen(await anybody(t), ['realm_emoji'])
      const emoji_name = newEmojiName(t)
      const told = async (deactivated: boolean): Promise<void> => {
        const isMeant = (emoji: Json): boolean =>
          listOf(Object.values(emoji ?? {})).some((one) => one.name === emoji_name && one.deactivated === deactivated)
        const says = `${emoji_name}, \`deactivated\` ${deactivated}`
        await heardOf(shows, queue, (one: Json) => isMeant(one.realm_emoji), `an event with ${says}`)
        const listed = await user.must('get-custom-emoji')
        shows(listed, isMeant(listed.body.emoji), `\`emoji\` has ${says}`)
        const state = await described(user, ['realm_emoji'])
        shows(state, isMeant(state.body.realm_emoji), `\`realm_emoji\` has ${says}`)
      }
      const broken = await user.call('add-custom-emoji', { emoji_name, file: 'GIF89a is no picture' })
      refusesWith(shows, 'BAD_IMAGE', broken, 'that is not an image')
      const named = await user.call('add-custom-emoji', { emoji_name: 'Octopus!', file: pictureOf(1) })
      refuses(shows, named, 'no emoji can have this name')
      const added = await user.call('add-custom-emoji', { emoji_name, file: pictureOf(2) })
      if (!succeeds(shows, added, 'that is a picture')) return
      await told(false)
      const emoji = await emojiNamed(other, emoji_name)
      if (emoji === undefined) return
      const listed = await other.must('get-custom-emoji')
      const isOwn = listOf(Object.values(listed.body.emoji)).some(
        (one) => one.name === emoji_name && one.author_id === user.userId,
      )
      shows(listed, isOwn, `\`author_id\` is ${user.userId}`)
      if (shows(listed, emoji.still_url !== null, 'a `still_url`: the picture has two frames')) {
        for (const [url, beginning] of [
          [emoji.source_url, 'GIF8'],
          [String(emoji.still_url), '\ufffdPNG'],
        ] as const) {
          const picture = await t.deployment.send({ method: 'GET', path: url })
          const isThere = picture.status === 200 && picture.text.startsWith(beginning)
          shows(picture, isThere, `a picture at ${url}, which begins like one`)
        }
      }
      const twice = await other.call('add-custom-emoji', { emoji_name, file: pictureOf(1) })
      refuses(shows, twice, 'there is one of this name')
      const id = await post(other, channel, t.unique('emoji'), `Here is :${emoji_name}:`)
      const exchange = await fetched(user, id)
      shows(exchange, exchange.body.message.content.includes('<img '), `\`content\` shows :${emoji_name}:`)
      refuses(shows, await other.call('deactivate-custom-emoji', { emoji_name }), 'somebody else has added it')
      await user.must('deactivate-custom-emoji', { emoji_name })
      await told(true)
      refuses(shows, await user.call('add-reaction', { message_id: id, emoji_name }), 'the emoji is deactivated')
      const again = await user.call('deactivate-custom-emoji', { emoji_name })
      shows(again, again.status === 404, '404: there is none any more')
    },
  ),
]
