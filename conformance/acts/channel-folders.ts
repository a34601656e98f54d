import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { byManager, ourKind, some } from '../laws/action-kind.ts'
import { oneOf, type World } from '../laws/world.ts'
import type { Json } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'create-channel-folder': (_, t) => ({ name: t.unique('conformance') }),
  'reorder-channel-folders': async (_, t) => ({ order: await orderOfAll(t) }),
  'update-channel-folder': async (_, t) => {
    const { body } = await t.person('administrator').must('create-channel-folder', { name: t.unique('conformance') })
    return { channel_folder_id: body.channel_folder_id, description: 'For the suite.' }
  },
}

/** Ids of all folders, in their order. */
export function orderOfAll(t: CheckContext): Promise<number[]> {
  return orderSeenBy(t.person('administrator'))
}

async function orderSeenBy(reader: Account): Promise<number[]> {
  const { body } = await reader.must('get-channel-folders', { include_archived: true })
  return body.channel_folders.map(({ id }: Json) => id)
}

/** Ids of the folders that a world has created. */
export function foldersIn(world: World): number[] {
  return world.kept<number>('folders')
}

export const actions = [
  ourKind(
    'make folder',
    ({ manager }) => ({ by: manager, description: fc.constantFrom('', 'What we **make**') }),
    (world, { by, description }) => makeFolder(world, by, description),
  ),
  ourKind(
    'change folder',
    ({ manager }) => ({
      by: manager,
      folder: some,
      change: fc.oneof(
        fc.record({ is_archived: fc.boolean() }),
        fc.record({ description: fc.constantFrom('Soon.', '') }),
        fc.constant({ isRenamed: true as const }),
      ),
    }),
    async (world, { by, folder, change }) => {
      const channel_folder_id = await oneOf<number>(world, 'folders', folder, () => makeFolder(world, 0, ''))
      const values = 'isRenamed' in change ? { name: world.unique('Renamed').slice(-60) } : change
      return world.manager(by)?.call('update-channel-folder', { channel_folder_id, ...values })
    },
  ),
  ourKind('reorder folders', byManager, async (world, { by }) => {
    for (const _ of [0, 1]) if (foldersIn(world).length < 2) await makeFolder(world, 0, '')
    const order = (await orderSeenBy(world.person(0))).reverse()
    return world.manager(by)?.call('reorder-channel-folders', { order })
  }),
]

async function makeFolder(world: World, by: number | undefined, description: string) {
  const values = { name: world.unique('Folder').slice(-60), description }
  const answer = await world.manager(by)?.call('create-channel-folder', values)
  return world.keep('folders', answer, answer?.body?.channel_folder_id)
}
