import type { Account } from '../deployment/account.ts'
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
