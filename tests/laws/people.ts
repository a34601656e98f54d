/** Accounts of the demo organization, one of every role and a bot. */
export const PEOPLE = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
export type Person = (typeof PEOPLE)[number]
