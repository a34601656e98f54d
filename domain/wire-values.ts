/**
 * Names of values in answers and events, where the contract and existing clients have different names
 * (PARLEY_WIRE_VALUES).
 */
export const WIRE_VALUES = ['contract', 'clients'] as const
export type WireValues = (typeof WIRE_VALUES)[number]

/** Namespaces of emoji codes as stored and in the log, with the contract's names. */
export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const
export type ReactionType = (typeof REACTION_TYPES)[number]

/** The names that clients use for our values. All other values have one name (NOTE-13). */
const CLIENTS_WORDS = { service_extra_emoji: 'zulip_extra_emoji' } as const

type Renamed = typeof CLIENTS_WORDS
export type WireReactionType = ReactionType | Renamed[keyof Renamed]

export function wireReactionType(type: WireReactionType, values: WireValues): WireReactionType {
  return values === 'clients' && Object.hasOwn(CLIENTS_WORDS, type) ? CLIENTS_WORDS[type as keyof Renamed] : type
}

/** Accepts either name; returns undefined for any other (REACT-FIELD-8). */
export function reactionTypeOf(word: string): ReactionType | undefined {
  return REACTION_TYPES.find((type) => word === type || word === wireReactionType(type, 'clients'))
}
