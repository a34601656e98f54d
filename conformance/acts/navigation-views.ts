import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { byObserver, ourKind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Naming, Requests } from './right-request.ts'

/** A view that nobody has. */
export function newFragment(t: Naming): string {
  return `narrow/topic/${t.unique('view').replaceAll(' ', '-')}`
}

/** Saves the same view for `person` each time, because accounts may have only a few. */
async function kept(person: Account): Promise<string> {
  const fragment = 'narrow/topic/conformance'
  const views = (await person.must('get-navigation-views')).body.navigation_views
  const isKept = views.some((view: { fragment: string }) => view.fragment === fragment)
  if (!isKept) await person.must('add-navigation-view', { fragment, is_pinned: false, name: 'Conformance' })
  return fragment
}

export const requests: Requests = {
  'add-navigation-view': async ({ user }) => {
    const fragment = await kept(user)
    await user.must('remove-navigation-view', { fragment })
    return { fragment, is_pinned: true, name: 'Conformance' }
  },
  'update-navigation-view': async ({ user }) => ({ fragment: await kept(user), is_pinned: true }),
  'remove-navigation-view': async ({ user }) => ({ fragment: await kept(user) }),
}

interface Own {
  readonly who: number
  readonly fragment: string
}

async function add(world: World, who: number) {
  const fragment = newFragment(world)
  const added = await world.person(who).call('add-navigation-view', { fragment, is_pinned: false, name: 'Law' })
  return world.keep<Own>('navigation view', added, { who, fragment })
}

async function one(world: World, who: number, number: number): Promise<string | undefined> {
  const known = (): Own[] => world.kept<Own>('navigation view').filter((view) => view.who === who)
  if (known().length === 0) await add(world, who)
  return known()[number % known().length]?.fragment
}

export const actions = [
  ourKind('keep view', byObserver, (world, { who }) => add(world, who)),
  ourKind(
    'change view',
    (ground) => ({
      ...byObserver(ground),
      view: some,
      is_pinned: fc.boolean(),
      name: fc.constantFrom(undefined, 'Law', 'Other'),
    }),
    async (world, { who, view, is_pinned, name }) => {
      const fragment = await one(world, who, view)
      if (fragment === undefined) return undefined
      return world
        .person(who)
        .call('update-navigation-view', { fragment, is_pinned, ...(name !== undefined && { name }) })
    },
  ),
  ourKind(
    'remove view',
    (ground) => ({ ...byObserver(ground), view: some }),
    async (world, { who, view }) => {
      const fragment = await one(world, who, view)
      return fragment === undefined ? undefined : world.person(who).call('remove-navigation-view', { fragment })
    },
  ),
]
