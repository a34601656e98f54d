import { wireCustomEmojis } from '../../domain/emoji/custom-emoji.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `realm_emoji`. */
export const part: StatePart = async (read, _actor, { isWanted }) =>
  isWanted('realm_emoji') ? { realm_emoji: wireCustomEmojis(await read.customEmoji.all()) } : {}
