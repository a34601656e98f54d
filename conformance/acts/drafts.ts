import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { type Ground, kind, some } from '../laws/action-kind.ts'
import { OwnItems } from '../laws/own-items.ts'
import type { World } from '../laws/world.ts'
import type { Exchange } from '../wire/http.ts'
import { type Json, listOf } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

const ownDraft = { type: '', to: [], topic: '', content: 'A draft of a conformance run.' }

export const requests: Requests = {
  'create-drafts': async ({ user, channel, topic }) => {
    await removeDrafts(user)
    return { drafts: [{ ...ownDraft, type: 'stream', to: [channel.id], topic }] }
  },
  'update-draft': async ({ user }) => ({ draft_id: await newDraft(user), draft: ownDraft }),
  'delete-draft': async ({ user }) => ({ draft_id: await newDraft(user) }),
}

/** Those that were made here before: a given person may have drafts of their own. */
async function removeDrafts(user: Account): Promise<void> {
  const { body } = await user.must('get-drafts')
  const own = listOf(body.drafts).filter(({ content }: Json) => content === ownDraft.content)
  for (const { id } of own) await user.must('delete-draft', { draft_id: id })
}

async function newDraft(user: Account): Promise<number> {
  await removeDrafts(user)
  return (await user.must('create-drafts', { drafts: [ownDraft] })).body.ids[0]
}

const drafts = new OwnItems('drafts', (world, who) => keep(world, { who, content: 'Not yet.' }))

const draft = ({ isOurs, observer, who }: Ground) => ({
  who: observer,
  content: fc.constantFrom('Not yet.', '*Soon.*'),
  ...(isOurs && { type: fc.constantFrom('', 'stream', 'private'), channel: some, to: who }),
})

interface Written {
  readonly who: number
  readonly content: string
  readonly type?: string
  readonly channel?: number
  readonly to?: number
}

export const actions = [
  kind('keep draft', 1, draft, keep),
  kind<Written>('replace draft', 1, draft, async (world, action) => {
    const { id, owner } = (await drafts.oldest(world, action.who)) ?? {}
    return owner?.call('update-draft', { draft_id: id, draft: written(world, action) })
  }),
  kind(
    'delete draft',
    1,
    ({ observer }) => ({ who: observer }),
    async (world, { who }) => {
      const { id, owner } = (await drafts.take(world, who)) ?? {}
      return owner?.call('delete-draft', { draft_id: id })
    },
  ),
]

async function keep(world: World, action: Written): Promise<Exchange> {
  const owner = world.person(action.who)
  const answer = await owner.call('create-drafts', { drafts: [written(world, action)] })
  for (const id of listOf(answer.body?.ids)) {
    drafts.add(world, { id: Number(id), owner }, () => owner.call('delete-draft', { draft_id: id }))
  }
  return answer
}

function written(world: World, { content, type = '', channel = 0, to = 0 }: Written): Values {
  if (type === '') return { type, to: [], topic: '', content }
  return {
    type,
    to: [type === 'stream' ? world.channel(channel).id : world.person(to).userId],
    topic: 'lunch',
    content,
  }
}
