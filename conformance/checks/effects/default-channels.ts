import type { Values } from '../../deployment/account.ts'
import type { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, type Shows } from '../../kernel/effect.ts'
import { heardOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { newPerson } from '../../kernel/people-of-roles.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'

export const checks: readonly Check[] = [
  effect(
    ['add-default-stream', 'remove-default-stream'],
    'new members are subscribed to exactly the default channels, and changes of these are announced to everybody except guests',
    async (t, shows, { user }) => {
      const admin = t.person('administrator')
      const channel = await t.channel(user)
      const values = { stream_id: channel.id }
      const queue = await listen(user, ['default_streams'])
      const guest = await newPerson(t, 'guest')
      const ofGuest = guest && (await listen(guest, ['default_streams', 'message']))
      for (const [operation, isDefault] of [
        ['add-default-stream', true],
        ['remove-default-stream', false],
        ['add-default-stream', true],
        ['archive-stream', false],
      ] as const) {
        await admin.must(operation, values)
        const isTold = (event: Json): boolean => idsOf(event.default_streams).includes(channel.id) === isDefault
        const says = `channel ${channel.id} ${isDefault ? 'among' : 'no longer among'} those told`
        await heardOf(shows, queue, (one) => one.type === 'default_streams' && isTold(one), says)
        const state = await user.must('register-queue', { event_types: ['default_streams'] })
        const isListed = idsOf(state.body.realm_default_streams).includes(channel.id)
        shows(state, isListed === isDefault, `${says} in \`realm_default_streams\``)
        const newcomer = await t.newUser()
        const followed = await newcomer.must('get-subscriptions')
        const isFollowed = ownOf(followed, channel) !== undefined
        shows(followed, isFollowed === isDefault, `${says} whom user ${newcomer.userId} follows`)
        // Repeated: this changes nothing.
        if (operation !== 'archive-stream') await admin.must(operation, values)
      }
      const hidden = await t.channel(admin, [], true)
      const refused = await admin.call('add-default-stream', { stream_id: hidden.id })
      refuses(shows, refused, `channel ${hidden.id} is private`)
      if (ofGuest) await hearsNothing(shows, ofGuest, user, guest)
    },
  ),
  effect(
    [
      'create-default-stream-group',
      ...['update-default-stream-group', 'update-default-stream-group-streams', 'remove-default-stream-group'],
    ],
    'an administrator’s changes of default channel groups are announced to everybody',
    async (t, shows, { user }) => {
      const admin = t.person('administrator')
      const [first, second] = [await t.channel(user), await t.channel(user)]
      const [group_name, new_group_name] = [t.unique('conformance'), t.unique('conformance')]
      const queue = await listen(user, ['default_stream_groups'])
      const made = { group_name, description: t.unique('made for'), stream_names: [first.name] }
      await admin.must('create-default-stream-group', made)
      const { id } = await holdsGroup(t, shows, queue, group_name, {
        description: made.description,
        streams: [first.id],
      })
      refuses(shows, await admin.call('create-default-stream-group', made), 'there is a group of this name')
      const change = (values: Values): Promise<Exchange> =>
        admin.must('update-default-stream-group-streams', { group_id: id, ...values })
      await change({ op: 'add', stream_names: [second.name] })
      await holdsGroup(t, shows, queue, group_name, { id, streams: [first.id, second.id] })
      await change({ op: 'remove', stream_names: [first.name] })
      await holdsGroup(t, shows, queue, group_name, { id, streams: [second.id] })
      const described = { new_group_name, new_description: t.unique('renamed') }
      await admin.must('update-default-stream-group', { group_id: id, ...described })
      const as = { id, description: described.new_description, streams: [second.id] }
      await holdsGroup(t, shows, queue, new_group_name, as)
      await admin.must('update-default-stream-group', { group_id: id, new_description: '' })
      await holdsGroup(t, shows, queue, new_group_name, { ...as, description: '' })
      await admin.must('remove-default-stream-group', { group_id: id })
      await holdsGroup(t, shows, queue, new_group_name, undefined)
      const gone = await admin.call('update-default-stream-group', { group_id: id, new_description: 'Too late.' })
      refuses(shows, gone, `group ${id} has been removed`)
    },
  ),
]

/** Channel ids; before level 330 the list has whole channels. */
function idsOf(list: Json): Json[] {
  return listOf(list).map((one: Json) => one?.stream_id ?? one)
}

/** Checks that event and list show the group as `wanted`, or, if that is undefined, that it is gone. */
async function holdsGroup(
  t: CheckContext,
  shows: Shows,
  queue: EventQueue,
  name: string,
  wanted: Values | undefined,
): Promise<Json> {
  const isRight = (list: Json): boolean => {
    const group = listOf(list).find((one: Json) => one.name === name)
    if (group === undefined || wanted === undefined) return group === wanted
    const { streams, ...fields } = wanted
    return (
      isSetOf(idsOf(group.streams), streams as number[]) &&
      Object.entries(fields).every(([field, value]) => group[field] === value)
    )
  }
  const says = wanted === undefined ? `no group "${name}"` : `the group "${name}" with ${JSON.stringify(wanted)}`
  const isTold = (one: Json) => one.type === 'default_stream_groups' && isRight(one.default_stream_groups)
  await heardOf(shows, queue, isTold, says)
  const state = await (await t.scene()).user.must('register-queue', { event_types: ['default_stream_groups'] })
  const groups = listOf(state.body.realm_default_stream_groups)
  shows(state, isRight(groups), `${says} in \`realm_default_stream_groups\``)
  return groups.find((one: Json) => one.name === name) ?? {}
}
