import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { type Ground, kind } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Exchange } from '../wire/http.ts'
import { listOf } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

const own = { title: 'Of a conformance run', content: '*Hello.*' }

export const requests: Requests = {
  'create-saved-snippet': async ({ user }) => {
    await removeSnippets(user)
    return own
  },
  'update-saved-snippet': async ({ user }) => ({ saved_snippet_id: await made(user), title: 'Hello' }),
  'delete-saved-snippet': async ({ user }) => ({ saved_snippet_id: await made(user) }),
}

/** Those that were made here before, or an account would have no more room. */
async function removeSnippets(user: Account): Promise<void> {
  const { saved_snippets } = (await user.must('get-saved-snippets')).body
  for (const { id, content } of listOf(saved_snippets)) {
    if (content === own.content) await user.must('delete-saved-snippet', { saved_snippet_id: id })
  }
}

async function made(user: Account): Promise<number> {
  await removeSnippets(user)
  return (await user.must('create-saved-snippet', own)).body.saved_snippet_id
}

interface Snippet {
  readonly saved_snippet_id: number
  readonly owner: Account
}

const snippet = ({ observer }: Ground) => ({
  who: observer,
  values: fc.constantFrom<Values>({ title: 'Hello' }, { content: '*Bye.*' }, { title: 'Bye', content: 'Bye.' }),
})
interface Kept {
  readonly who: number
  readonly values: Values
}

/** One's own or, where one has none, somebody's; kept now where there is none at all. */
async function oldest(world: World, who: number): Promise<Snippet | undefined> {
  const all = world.kept<Snippet>('snippets')
  if (all.length === 0) await keep(world, { who, values: {} })
  return all.find(({ owner }) => owner === world.person(who)) ?? all[0]
}

async function keep(world: World, { who, values }: Kept): Promise<Exchange> {
  const owner = world.person(who)
  const answer = await owner.call('create-saved-snippet', { ...own, ...values })
  const saved_snippet_id = Number(answer.body?.saved_snippet_id)
  if (answer.status !== 200) return answer
  world.kept<Snippet>('snippets').push({ saved_snippet_id, owner })
  world.atEnd(() => owner.call('delete-saved-snippet', { saved_snippet_id }))
  return answer
}

export const actions = [
  kind('keep snippet', 1, snippet, keep, { since: 297 }),
  kind<Kept>(
    'change snippet',
    1,
    snippet,
    async (world, { who, values }) => {
      const { owner, saved_snippet_id } = (await oldest(world, who)) ?? {}
      return owner?.call('update-saved-snippet', { saved_snippet_id, ...values })
    },
    { since: 368 },
  ),
  kind(
    'delete snippet',
    1,
    ({ observer }) => ({ who: observer }),
    async (world, { who }) => {
      const [all, found] = [world.kept<Snippet>('snippets'), await oldest(world, who)]
      if (found) all.splice(all.indexOf(found), 1)
      return found?.owner.call('delete-saved-snippet', { saved_snippet_id: found.saved_snippet_id })
    },
    { since: 297 },
  ),
]
