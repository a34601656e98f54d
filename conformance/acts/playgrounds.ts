import type { CheckContext } from '../kernel/check-context.ts'
import { byManager, ourKind, some } from '../laws/action-kind.ts'
import { oneOf, type World } from '../laws/world.ts'
import type { Naming, Requests } from './right-request.ts'

/** The values of a playground that nobody else creates. */
export function newPlayground(t: Naming) {
  const name = t.unique('conformance')
  return { name, pygments_language: 'Python', url_template: 'https://play.example.com/?code={code}' }
}

async function addedPlayground(t: CheckContext): Promise<number> {
  return (await t.person('administrator').must('add-code-playground', newPlayground(t))).body.id
}

export const requests: Requests = {
  'add-code-playground': (_, t) => newPlayground(t),
  'remove-code-playground': async (_, t) => ({ playground_id: await addedPlayground(t) }),
}

async function add(world: World, by: number | undefined) {
  const added = await world.manager(by)?.call('add-code-playground', newPlayground(world))
  const playground_id = added?.body?.id
  const remove = () => world.manager()?.call('remove-code-playground', { playground_id })
  return world.keep('playground', added, playground_id, remove)
}

export const actions = [
  ourKind('add playground', byManager, (world, { by }) => add(world, by)),
  ourKind(
    'remove playground',
    ({ manager }) => ({ by: manager, playground: some }),
    async (world, { by, playground }) => {
      const playground_id = await oneOf<number>(world, 'playground', playground, () => add(world, by))
      if (playground_id === undefined) return undefined
      return world.manager(by)?.call('remove-code-playground', { playground_id })
    },
  ),
]
