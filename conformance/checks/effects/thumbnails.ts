import { newFile, showImage } from '../../acts/attachments.ts'
import { pictureOf } from '../../acts/custom-emoji.ts'
import { described } from '../../deployment/described.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { fetched } from '../../kernel/messaging.ts'

export const checks: readonly Check[] = [
  effect(
    ['get-thumbnail', 'get-thumbnail-status'],
    'an image that a message links to is shown by its thumbnail, and those who do not read the message see none',
    ['upload-file', 'register-queue', 'get-events', 'send-message', 'get-message', 'delete-message'],
    async (_, shows, { user, other }) => {
      const registered = await described(user, ['realm'])
      const formats = registered.body.server_thumbnail_formats ?? []
      const still = formats.find((one: { animated: boolean }) => !one.animated)
      shows(registered, still !== undefined, '`server_thumbnail_formats` has one that is not animated')
      const text = await newFile(user)
      const none = await user.must('get-thumbnail-status', text)
      shows(none, none.body.has_thumbnail === false, '`has_thumbnail` is false: a text has none')
      const place = await newFile(user, pictureOf(2))
      const { id, html, event, exchange } = await showImage(user, place)
      const address = `/user_uploads/thumbnail/${place.realm_id_str}/${place.filename}/${still?.name}`
      const isShown = html?.includes('<div class="message_inline_image">') && html.includes(`src="${address}"`)
      shows(exchange, isShown === true, `message ${id} shows ${address}`)
      const facts = 'data-original-dimensions="1x1"'
      shows(exchange, html?.includes(facts) === true, `message ${id} has ${facts}`)
      if (event) {
        const isOurs = event.user_id === null && event.message_ids?.join() === String(id)
        shows(exchange, isOurs, `an event by nobody (\`user_id\` null) about message ${id} alone`)
      }
      const stored = await fetched(user, id)
      shows(stored, stored.body.message.content === html, `message ${id} has the HTML that was told`)
      shows(stored, stored.body.message.last_edit_timestamp === undefined, `message ${id} was not edited`)
      const status = await user.must('get-thumbnail-status', place)
      shows(status, status.body.has_thumbnail === true, '`has_thumbnail` is true: the message shows it')
      const thumbnail = await user.send({ method: 'GET', path: address })
      shows(thumbnail, thumbnail.status === 200 && thumbnail.text.startsWith('RIFF'), `a picture at ${address}`)
      const foreign = await other.send({ method: 'GET', path: address })
      shows(foreign, foreign.status >= 400, `no picture: user ${other.userId} reads no message that has the image`)
      const asked = await other.call('get-thumbnail-status', place)
      shows(asked, asked.status >= 400, `no status: user ${other.userId} reads no message that has the image`)
    },
  ),
]
