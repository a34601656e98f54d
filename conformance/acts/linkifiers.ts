import fc from 'fast-check'
import type { CheckContext } from '../kernel/check-context.ts'
import { byManager, ourKind, some } from '../laws/action-kind.ts'
import { oneOf, type World } from '../laws/world.ts'
import type { Naming, Requests } from './right-request.ts'

/** A prefix that no other text of the run has. */
export function newMark(t: Naming): string {
  return t.unique('conformance').replaceAll(/[^A-Za-z0-9]+/g, 'x')
}

export function linkifierOf(mark: string) {
  return { pattern: `${mark}-(?P<id>[0-9]+)`, url_template: `https://example.com/${mark}/{id}` }
}

async function addedLinkifier(t: CheckContext): Promise<number> {
  const owner = t.person('administrator')
  const { body } = await owner.must('add-linkifier', linkifierOf(newMark(t)))
  return body.id
}

export const requests: Requests = {
  'add-linkifier': (_, t) => linkifierOf(newMark(t)),
  'update-linkifier': async (_, t) => ({ filter_id: await addedLinkifier(t), ...linkifierOf(newMark(t)) }),
  'remove-linkifier': async (_, t) => ({ filter_id: await addedLinkifier(t) }),
  'reorder-linkifiers': async (_, t) => {
    const { body } = await t.person('administrator').must('get-linkifiers')
    const ids = body.linkifiers.map(({ id }: { id: number }) => id)
    return { ordered_linkifier_ids: ids.reverse() }
  },
}

async function add(world: World, by: number | undefined) {
  const added = await world.manager(by)?.call('add-linkifier', linkifierOf(newMark(world)))
  const filter_id = added?.body?.id
  return world.keep('linkifier', added, filter_id, () => world.manager()?.call('remove-linkifier', { filter_id }))
}

export const actions = [
  ourKind('add linkifier', byManager, (world, { by }) => add(world, by)),
  ourKind(
    'change linkifier',
    ({ manager }) => ({ by: manager, linkifier: some, isRemoval: fc.boolean() }),
    async (world, { by, linkifier, isRemoval }) => {
      const filter_id = await oneOf<number>(world, 'linkifier', linkifier, () => add(world, by))
      if (filter_id === undefined) return undefined
      const values = { filter_id, url_template: `https://example.org/${world.unique('to').replaceAll(' ', '-')}/{id}` }
      return world.manager(by)?.call(isRemoval ? 'remove-linkifier' : 'update-linkifier', values)
    },
  ),
  ourKind('reorder linkifiers', byManager, async (world, { by }) => {
    if (world.kept('linkifier').length < 2) await add(world, by)
    const listed = await world.manager()?.call('get-linkifiers')
    const ids = (listed?.body.linkifiers ?? []).map(({ id }: { id: number }) => id)
    return world.manager(by)?.call('reorder-linkifiers', { ordered_linkifier_ids: ids.reverse() })
  }),
]
