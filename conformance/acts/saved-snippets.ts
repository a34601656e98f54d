import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { type Ground, kind } from '../laws/action-kind.ts'
import { OwnItems } from '../laws/own-items.ts'
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

const snippets = new OwnItems('snippets', (world, who) => keep(world, { who, values: {} }))

const snippet = ({ observer }: Ground) => ({
  who: observer,
  values: fc.constantFrom<Values>({ title: 'Hello' }, { content: '*Bye.*' }, { title: 'Bye', content: 'Bye.' }),
})
interface Kept {
  readonly who: number
  readonly values: Values
}

async function keep(world: World, { who, values }: Kept): Promise<Exchange> {
  const owner = world.person(who)
  const answer = await owner.call('create-saved-snippet', { ...own, ...values })
  if (answer.status !== 200) return answer
  const id = Number(answer.body?.saved_snippet_id)
  snippets.add(world, { id, owner }, () => owner.call('delete-saved-snippet', { saved_snippet_id: id }))
  return answer
}

export const actions = [
  kind('keep snippet', 1, snippet, keep, { since: 297 }),
  kind<Kept>(
    'change snippet',
    1,
    snippet,
    async (world, { who, values }) => {
      const { id, owner } = (await snippets.oldest(world, who)) ?? {}
      return owner?.call('update-saved-snippet', { saved_snippet_id: id, ...values })
    },
    { since: 368 },
  ),
  kind(
    'delete snippet',
    1,
    ({ observer }) => ({ who: observer }),
    async (world, { who }) => {
      const { id, owner } = (await snippets.take(world, who)) ?? {}
      return owner?.call('delete-saved-snippet', { saved_snippet_id: id })
    },
    { since: 297 },
  ),
]
