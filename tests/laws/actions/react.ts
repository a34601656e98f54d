import fc from 'fast-check'
import type { Answer } from '../../../server/testing.ts'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'

export interface AddReaction {
  readonly kind: 'add reaction'
  readonly actor: Person
  readonly message: number
  readonly emoji: string
}
export interface RemoveReaction {
  readonly kind: 'remove reaction'
  readonly actor: Person
  /** Which of the reactions that were added. */
  readonly reaction: number
  /** Whether its own author removes it. */
  readonly isOwn: boolean
}

interface Reacted {
  readonly message: number
  readonly actor: Person
  readonly emoji: string
}

const added = new WeakMap<Run, Reacted[]>()

export const addReaction: ActionKind<AddReaction> = {
  kinds: ['add reaction'],
  weight: 4,
  any: fc.record({
    kind: fc.constant('add reaction' as const),
    actor: fc.constantFrom(...PEOPLE),
    message: fc.nat({ max: 50 }),
    emoji: fc.constantFrom('octopus', 'thumbs_up', '+1', 'zulip'),
  }),
  request: (run, { actor, message, emoji }) => add(run, { message: run.message(message), actor, emoji }),
}

async function add(run: Run, reacted: Reacted): Promise<Answer> {
  const { message, actor, emoji } = reacted
  const answer = await run.as(actor).post(`/messages/${message}/reactions`, { emoji_name: emoji })
  if (answer.status === 200) added.set(run, [...(added.get(run) ?? []), reacted])
  return answer
}

export const removeReaction: ActionKind<RemoveReaction> = {
  kinds: ['remove reaction'],
  weight: 2,
  any: fc.record({
    kind: fc.constant('remove reaction' as const),
    actor: fc.constantFrom(...PEOPLE),
    reaction: fc.nat({ max: 20 }),
    isOwn: fc.constantFrom(true, true, true, false),
  }),
  async request(run, { actor, reaction, isOwn }) {
    const reactions = added.get(run) ?? []
    // Without any, there is one to remove first.
    const meant = reactions[reaction % reactions.length] ?? { message: run.message(reaction), actor, emoji: 'octopus' }
    if (reactions.length === 0) await add(run, meant)
    const by = isOwn ? meant.actor : actor
    return run.as(by).delete(`/messages/${meant.message}/reactions`, { emoji_name: meant.emoji })
  },
}
