import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { deletion, kind } from '../laws/action-kind.ts'
import { type Owned, oldestOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

const [since, changedSince] = [297, 368]
const given = { title: 'Of a conformance run', content: '*Hello.*' }

export const requests: Requests = {
  'create-saved-snippet': () => given,
  'update-saved-snippet': async ({ user }) => ({ saved_snippet_id: await newSnippet(user), ...given }),
  'delete-saved-snippet': async ({ user }) => ({ saved_snippet_id: await newSnippet(user) }),
}

async function newSnippet(user: Account): Promise<number> {
  return (await user.must('create-saved-snippet', given)).body.saved_snippet_id
}

async function keep(world: World, who: number, fields: Values) {
  const owner = world.person(who)
  const answer = await owner.call('create-saved-snippet', { ...given, ...fields })
  const made = { id: Number(answer.body?.saved_snippet_id), owner }
  return world.keep<Owned>('saved snippets', answer, made, () => remove(made))
}

const remove = ({ id, owner }: Owned) => owner.call('delete-saved-snippet', { saved_snippet_id: id })
const oldest = (world: World, who: number) => oldestOf(world, 'saved snippets', who, () => keep(world, who, {}))
const anyFields = fc.constantFrom<Values>({ title: 'Hello' }, { content: '*Bye.*' }, { title: 'Bye', content: 'Bye.' })

export const actions = [
  kind(
    'keep saved snippet',
    ({ observer }) => ({ who: observer, fields: anyFields }),
    (world, { who, fields }) => keep(world, who, fields),
    { since },
  ),
  kind(
    'change saved snippet',
    ({ observer }) => ({ who: observer, fields: anyFields }),
    async (world, { who, fields }) => {
      const found = await oldest(world, who)
      return found?.owner.call('update-saved-snippet', { saved_snippet_id: found.id, ...fields })
    },
    { since: changedSince },
  ),
  deletion('delete saved snippet', 'saved snippets', oldest, remove, { since }),
]
