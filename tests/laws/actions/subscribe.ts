import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'
import { NAMES } from '../spellings.ts'

export interface Subscribe {
  readonly kind: 'subscribe oneself' | 'subscribe others'
  readonly actor: Person
  readonly channels: readonly number[]
  readonly others: readonly Person[]
  readonly byEmail: boolean
}
export interface CreateChannel {
  readonly kind: 'create channel'
  readonly actor: Person
  /** Index of NAMES. */
  readonly name: number
  readonly isPrivate: boolean
  /** Undefined: as the server has it for this kind of channel. */
  readonly sharesHistory: boolean | undefined
  readonly others: readonly Person[]
  readonly byEmail: boolean
  /** A group setting that lets people read without being subscribed, and whom it names; null: nobody. */
  readonly openedBy: 'can_subscribe_group' | 'can_add_subscribers_group' | null
  readonly openTo: readonly Person[]
  /** Whether it names an account that the run made, too: one that may be deactivated. */
  readonly openToNewcomer: boolean
}

/** In a run that has no channel: too long, because any other name makes one. */
const NO_NAME = 'x'.repeat(61)

const person = fc.constantFrom(...PEOPLE)
const others = fc.uniqueArray(person, { maxLength: 3 })

export const subscribe: ActionKind<Subscribe> = {
  kinds: ['subscribe oneself', 'subscribe others'],
  weight: 5,
  any: fc
    .record({
      actor: person,
      channels: fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 2 }),
      others,
      byEmail: fc.boolean(),
    })
    .map((action) => ({ kind: action.others.length === 0 ? 'subscribe oneself' : 'subscribe others', ...action })),
  request(run, { actor, channels, others, byEmail }) {
    return run.as(actor).post('/users/me/subscriptions', {
      subscriptions: channels.map((number) => ({ name: run.channel(number)?.name ?? NO_NAME })),
      ...(others.length > 0 && { principals: run.named(others, byEmail) }),
    })
  },
}

/** A description that gives its channel away wherever it turns up. */
export function markOfChannel(name: string): string {
  return `channel-mark-${name.match(/\d+$/)?.[0]}-`
}

export const createChannel: ActionKind<CreateChannel> = {
  kinds: ['create channel'],
  weight: 2,
  any: fc
    .record({
      name: fc.nat({ max: NAMES.length - 1 }),
      actor: person,
      isPrivate: fc.boolean(),
      sharesHistory: fc.constantFrom(true, false, undefined),
      others,
      byEmail: fc.boolean(),
      openedBy: fc.constantFrom(null, 'can_subscribe_group' as const, 'can_add_subscribers_group' as const),
      openTo: others,
      openToNewcomer: fc.boolean(),
    })
    // A public channel shares its history; anything else is refused.
    .map(({ sharesHistory: wanted, ...action }) => {
      const sharesHistory = !action.isPrivate && wanted === false ? undefined : wanted
      return { kind: 'create channel', ...action, sharesHistory }
    }),
  async request(run, action) {
    const { actor, name: index, isPrivate, sharesHistory, others, byEmail, openedBy, openTo, openToNewcomer } = action
    const direct_members = [...run.named(openTo, false), ...(openToNewcomer ? run.users.slice(-1) : [])]
    const [first = '', ...otherSpellings] = NAMES[index] ?? []
    const name = run.server.unique(first)
    const suffix = name.slice(first.length)
    run.expectChannel(
      name,
      otherSpellings.map((other) => other + suffix),
    )
    const answer = await run.as(actor).post('/users/me/subscriptions', {
      subscriptions: [{ name, description: markOfChannel(name) }],
      principals: run.named([actor, ...others], byEmail),
      invite_only: isPrivate,
      history_public_to_subscribers: sharesHistory,
      ...(openedBy && { [openedBy]: { direct_members, direct_subgroups: [] } }),
    })
    if (answer.status === 200) await run.madeChannel()
    return answer
  },
}
