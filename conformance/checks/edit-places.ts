import { type Check, ids } from '../kernel/check.ts'
import { fetched, needEditing, organizationOf, post, postTo } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'

/** Changes of a message's place that no edit can make, whoever may move messages. */
export const checks: readonly Check[] = [
  {
    area: 'PATCH /messages/{message_id}',
    profile: 'core',
    id: 'edits/places',
    title: 'an edit that asks for an impossible place is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [3, 15, 27, 28]),
    operations: ['subscribe', 'send-message', 'get-message', 'register-queue', 'update-message'],
    async run(t) {
      const { user: author, other, channel } = await t.scene()
      needEditing(t, await organizationOf(author))
      const elsewhere = await t.channel(author)
      const inChannel = await post(author, channel, t.unique('places'), 'Before.')
      const direct = await postTo(author, [other], 'Before.')
      const refuses = async (requirement: string, message_id: number, values: object, why: string): Promise<void> => {
        const edited: Exchange = await author.call('update-message', { message_id, ...values })
        t.that(requirement, edited, edited.body?.code === 'BAD_REQUEST', `BAD_REQUEST: ${why}`)
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
        await refuses('MSG-EDIT-15', inChannel, { content: 'After.', propagate_mode }, 'nothing is to be moved')
      }
      const both = { content: 'After.', stream_id: elsewhere.id }
      await refuses('MSG-EDIT-28', inChannel, both, 'content and channel cannot change together')
    },
  },
]
