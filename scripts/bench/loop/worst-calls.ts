import type { WorstCalls } from './scene.ts'
import { WORST_OF_CHANNELS } from './worst-of-channels.ts'
import { WORST_OF_DRAFTS } from './worst-of-drafts.ts'
import { WORST_OF_MESSAGES } from './worst-of-messages.ts'
import { WORST_OF_PEOPLE } from './worst-of-people.ts'

/** Every operation of the contract: a missing entry is a type error. */
export const WORST_CALLS: WorstCalls = {
  ...WORST_OF_MESSAGES,
  ...WORST_OF_CHANNELS,
  ...WORST_OF_DRAFTS,
  ...WORST_OF_PEOPLE,
}
