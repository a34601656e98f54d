import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { type Naming, ofAdministrator, type Requests } from './right-request.ts'

/** The values of a playground that nobody else creates. */
export function newPlayground(t: Naming) {
  const name = t.unique('conformance')
  return { name, pygments_language: 'Python', url_template: 'https://play.example.com/?code={code}' }
}

async function addedPlayground(t: CheckContext): Promise<number> {
  return (await t.person('administrator').must('add-code-playground', newPlayground(t))).body.id
}

export const requests: Requests = {
  'add-code-playground': (_, t) => ofAdministrator(t, newPlayground(t)),
  'remove-code-playground': async (_, t) => ofAdministrator(t, { playground_id: await addedPlayground(t) }),
}

const playgroundsIn = (world: World): number[] => world.kept('playground')

async function add(world: World, by: number | undefined) {
  const added = await world.manager(by)?.call('add-code-playground', newPlayground(world))
  if (added?.status === 200) {
    playgroundsIn(world).push(added.body.id)
    // Makes room for others.
    world.atEnd(async () => world.manager(undefined)?.call('remove-code-playground', { playground_id: added.body.id }))
  }
  return added
}

export const actions = [
  ourKind(
    'add playground',
    ({ manager }) => ({ by: manager }),
    (world, { by }) => add(world, by),
  ),
  ourKind(
    'remove playground',
    ({ manager }) => ({ by: manager, playground: some }),
    async (world, { by, playground }) => {
      if (playgroundsIn(world).length === 0) await add(world, by)
      const ids = playgroundsIn(world)
      const playground_id = ids[playground % ids.length]
      if (playground_id === undefined) return undefined
      return world.manager(by)?.call('remove-code-playground', { playground_id })
    },
  ),
]
