import { newUserGroup } from '../../acts/user-groups.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf } from '../../wire/values.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/subscribe/white-space',
    'names are kept without the white space around them',
    [
      ...['subscribe', 'create-channel', 'update-stream', 'get-stream', 'get-subscriptions', 'send-message'],
      ...['update-message', 'get-message', 'create-user-group', 'update-user-group', 'get-user-groups', 'create-user'],
      ...['update-user', 'update-settings', 'get-user', 'create-saved-snippet', 'get-saved-snippets'],
      ...['create-channel-folder', 'update-channel-folder', 'get-channel-folders'],
    ],
    async (t, shows, { user }) => {
      const admin = t.person('administrator')
      const person = await t.newUser()
      const wide = (name: string): string => ` \t${name} \n`
      const fresh = (): string => t.unique('conformance')
      const is = (exchange: Exchange, found: Json, name: string): boolean =>
        shows(exchange, found === name, `"${name}", which was sent with white space around it`)
      const isListed = async (list: 'user_groups' | 'channel_folders', wanted: number, name: string): Promise<void> => {
        const exchange = await admin.must(`get-${list.replace('_', '-')}`)
        is(exchange, listOf(exchange.body[list]).find(({ id }) => id === wanted)?.name, name)
      }

      const message_id = await post(user, await t.channel(user), wide('around'), 'A topic.')
      const sent = await fetched(user, message_id)
      is(sent, sent.body.message.subject, 'around')
      await user.must('update-message', { message_id, topic: wide('elsewhere') })
      const moved = await fetched(user, message_id)
      is(moved, moved.body.message.subject, 'elsewhere')
      // Of other names the contract does not say it.
      if (!t.isParley) return

      const [subscribed, created, renamed] = [fresh(), fresh(), fresh()]
      await user.must('subscribe', { subscriptions: [{ name: wide(subscribed) }] })
      const { body: channel } = await admin.must('create-channel', { name: wide(created), subscribers: [user.userId] })
      const subscriptions = await user.must('get-subscriptions')
      const names = listOf(subscriptions.body.subscriptions).map(({ name }) => name)
      for (const name of [subscribed, created])
        is(
          subscriptions,
          names.find((one) => one.includes(name)),
          name,
        )
      await admin.must('update-stream', { stream_id: channel.id, new_name: wide(renamed) })
      const stream = await admin.must('get-stream', { stream_id: channel.id })
      is(stream, stream.body.stream.name, renamed)

      const [group, groupRenamed] = [fresh(), fresh()]
      const user_group_id = await newUserGroup(admin, { name: wide(group), description: '', members: [] })
      await isListed('user_groups', user_group_id, group)
      await admin.must('update-user-group', { user_group_id, name: wide(groupRenamed) })
      await isListed('user_groups', user_group_id, groupRenamed)

      const nameOfPerson = async (name: string): Promise<void> => {
        const exchange = await user.must('get-user', { user_id_or_email: person.userId })
        is(exchange, exchange.body.user.full_name, name)
      }
      const [byAdmin, byThemselves] = [t.unique('Conformance User'), t.unique('Conformance User')]
      await admin.must('update-user', { user_id_or_email: person.userId, full_name: wide(byAdmin) })
      await nameOfPerson(byAdmin)
      await person.must('update-settings', { full_name: wide(byThemselves) })
      await nameOfPerson(byThemselves)

      const title = fresh()
      await person.must('create-saved-snippet', { title: wide(title), content: 'A snippet.' })
      const snippets = await person.must('get-saved-snippets')
      is(snippets, snippets.body.saved_snippets[0]?.title, title)

      const [folder, folderRenamed] = [fresh(), fresh()]
      const made = await admin.must('create-channel-folder', { name: wide(folder) })
      const { channel_folder_id } = made.body
      await isListed('channel_folders', channel_folder_id, folder)
      await admin.must('update-channel-folder', { channel_folder_id, name: wide(folderRenamed) })
      await isListed('channel_folders', channel_folder_id, folderRenamed)
    },
    'admin',
  ),
]
