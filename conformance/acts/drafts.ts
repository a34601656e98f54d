import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { deletion, type Ground, kind, some } from '../laws/action-kind.ts'
import { type Owned, oldestOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

const given = { type: '', to: [], topic: '', content: 'A draft of a conformance run.' }

export const requests: Requests = {
  'create-drafts': () => ({ drafts: [given] }),
  'update-draft': async ({ user }) => ({ draft_id: await newDraft(user), draft: given }),
  'delete-draft': async ({ user }) => ({ draft_id: await newDraft(user) }),
}

async function newDraft(user: Account): Promise<number> {
  return (await user.must('create-drafts', { drafts: [given] })).body.ids[0]
}

interface Written {
  readonly content: string
  readonly type?: string
  readonly channel?: number
  readonly to?: number
}

const anyWritten = ({ isOurs, observer, who }: Ground) => ({
  who: observer,
  written: fc.record({
    content: fc.constantFrom('Not yet.', '*Soon.*'),
    ...(isOurs && { type: fc.constantFrom('', 'stream', 'private'), channel: some, to: who }),
  }),
})

function draftOf(world: World, { content, type = '', channel = 0, to = 0 }: Written): Values {
  if (type === '') return { ...given, content }
  const id = type === 'stream' ? world.channel(channel).id : world.person(to).userId
  return { type, to: [id], topic: 'lunch', content }
}

async function keep(world: World, who: number, written: Written) {
  const owner = world.person(who)
  const answer = await owner.call('create-drafts', { drafts: [draftOf(world, written)] })
  const made = { id: Number(answer.body?.ids?.[0]), owner }
  return world.keep<Owned>('drafts', answer, made, () => remove(made))
}

const remove = ({ id, owner }: Owned) => owner.call('delete-draft', { draft_id: id })
const oldest = (world: World, who: number) =>
  oldestOf(world, 'drafts', who, () => keep(world, who, { content: 'Not yet.' }))

export const actions = [
  kind('keep draft', anyWritten, (world, { who, written }) => keep(world, who, written)),
  kind('change draft', anyWritten, async (world, { who, written }) => {
    const found = await oldest(world, who)
    return found?.owner.call('update-draft', { draft_id: found.id, draft: draftOf(world, written) })
  }),
  deletion('delete draft', 'drafts', oldest, remove),
]
