import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind, some } from '../laws/action-kind.ts'
import { oneOf, type World } from '../laws/world.ts'
import type { Json } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'add-default-stream': async ({ user }, t) => ({ stream_id: (await t.channel(user)).id }),
  'remove-default-stream': ({ channel }) => ({ stream_id: channel.id }),
  'create-default-stream-group': ({ channel }, t) => ({
    group_name: t.unique('conformance'),
    description: 'For the suite.',
    stream_names: [channel.name],
  }),
  'update-default-stream-group': async (_, t) => ({
    group_id: await newDefaultGroup(t),
    new_description: 'Still for the suite.',
  }),
  'update-default-stream-group-streams': async ({ channel }, t) => ({
    group_id: await newDefaultGroup(t),
    op: 'add',
    stream_names: [channel.name],
  }),
  'remove-default-stream-group': async (_, t) => ({ group_id: await newDefaultGroup(t) }),
}

/** Id of a group without channels; the answer that creates it does not contain the id. */
async function newDefaultGroup(t: CheckContext): Promise<number> {
  const admin = t.person('administrator')
  const group_name = t.unique('conformance')
  await admin.must('create-default-stream-group', { group_name, description: '', stream_names: [] })
  return idOfGroup(admin, group_name)
}

async function idOfGroup(reader: Account, group_name: string): Promise<number> {
  const { body } = await described(reader, ['default_stream_groups'])
  return body.realm_default_stream_groups.find(({ name }: Json) => name === group_name)?.id
}

const noun = 'default groups'

export const actions = [
  ourKind(
    'change default channels',
    ({ manager }) => ({ by: manager, channel: some, isAddition: fc.constantFrom(true, true, false) }),
    async (world, { by, channel, isAddition }) => {
      const values = { stream_id: world.channel(channel).id }
      const answer = await world.manager(by)?.call(`${isAddition ? 'add' : 'remove'}-default-stream`, values)
      if (isAddition && answer?.status === 200)
        world.atEnd(() => world.manager()?.call('remove-default-stream', values))
      return answer
    },
  ),
  ourKind(
    'make default group',
    ({ manager }) => ({ by: manager, channels: fc.array(some, { maxLength: 2 }) }),
    (world, { by, channels }) => makeDefaultGroup(world, by, channels),
  ),
  ourKind(
    'change default group',
    ({ manager }) => ({
      by: manager,
      group: some,
      change: fc.oneof(
        fc.record({ op: fc.constantFrom('add', 'remove'), channel: some }),
        fc.record({ new_description: fc.constantFrom('Who builds.', '') }),
      ),
    }),
    async (world, { by, group, change }) => {
      const group_id = await defaultGroup(world, group)
      const manager = world.manager(by)
      if ('new_description' in change) return manager?.call('update-default-stream-group', { group_id, ...change })
      const stream_names = [world.channel(change.channel).name]
      return manager?.call('update-default-stream-group-streams', { group_id, op: change.op, stream_names })
    },
  ),
  ourKind(
    'remove default group',
    ({ manager }) => ({ by: manager, group: some }),
    async (world, { by, group }) => {
      const group_id = await defaultGroup(world, group)
      const answer = await world.manager(by)?.call('remove-default-stream-group', { group_id })
      const kept = world.kept<number>(noun)
      if (answer?.status === 200) kept.splice(kept.indexOf(group_id), 1)
      return answer
    },
  ),
]

async function makeDefaultGroup(world: World, by: number | undefined, channels: readonly number[]) {
  const name = world.unique('Group').slice(-60)
  const stream_names = channels.map((number) => world.channel(number).name)
  const values = { group_name: name, description: 'Of a law.', stream_names }
  const answer = await world.manager(by)?.call('create-default-stream-group', values)
  if (answer?.status !== 200) return answer
  const owner = world.person(0)
  const id = await idOfGroup(owner, name)
  return world.keep(noun, answer, id, () => owner.call('remove-default-stream-group', { group_id: id }))
}

/** One of the world's groups. There is at least one: the first person is the owner, who may always create it. */
async function defaultGroup(world: World, number: number): Promise<number> {
  const group = await oneOf<number>(world, noun, number, () => makeDefaultGroup(world, 0, []))
  if (group === undefined) throw new Error('the owner of a world could make no group')
  return group
}
