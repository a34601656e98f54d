import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface KeepDraft {
  readonly kind: 'keep draft' | 'replace draft' | 'delete draft'
  readonly actor: Person
  readonly which: number
  readonly type: '' | 'stream' | 'private'
  readonly to: Person
  readonly content: string
}

/** Of drafts that the run has made, of whomever: those of others are not there. */
export const keepDraft: ActionKind<KeepDraft> = {
  kinds: ['keep draft', 'replace draft', 'delete draft'],
  weight: 4,
  any: fc.record({
    kind: fc.constantFrom(
      'keep draft' as const,
      'keep draft' as const,
      'replace draft' as const,
      'delete draft' as const,
    ),
    // Few people, so that what is kept is replaced and deleted.
    actor: fc.constantFrom('member', 'guest', 'bot'),
    which: fc.nat({ max: 3 }),
    type: fc.constantFrom('' as const, 'stream' as const, 'private' as const),
    to: fc.constantFrom(...PEOPLE),
    content: fc.constantFrom('Not yet.', ' *later* \n'),
  }),
  async request(run, { kind, actor, which, type, to, content }) {
    const ids = { '': [], private: [run.as(to).userId], stream: run.channels.slice(which).map(({ id }) => id) }
    const draft = { type, to: ids[type].slice(0, 1), topic: 'lunch', content }
    const id = run.drafts[which % Math.max(1, run.drafts.length)]
    if (kind === 'keep draft' || id === undefined) {
      const answer = await run.as(actor).post('/drafts', { drafts: [draft] })
      run.drafts.push(...((answer.body.ids as number[] | undefined) ?? []))
      return answer
    }
    if (kind === 'replace draft') return run.as(actor).patch(`/drafts/${id}`, { draft })
    return run.as(actor).delete(`/drafts/${id}`)
  },
}
