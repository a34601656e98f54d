import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_ALERT_WORDS, MAX_ALERT_WORDS_LENGTH } from '../../domain/limits.ts'
import { isLongerThan } from '../../domain/text/code-points.ts'
import { wordKey } from '../../domain/text/text-keys.ts'
import { announceToSelf } from '../announce-to-self.ts'

/**
 * Adds or removes alert words, and sends the user's clients the whole list if it changed (EV-ALERT-1, EV-ALERT-2).
 * Returns the list.
 *
 * @throws {BadRequestError} if there would be too many, or too many characters in them
 */
export async function changeAlertWords(
  tx: Tx,
  userId: UserId,
  change: 'add' | 'remove',
  words: readonly string[],
): Promise<string[]> {
  const wanted = words.map((word) => word.trim()).filter((word) => wordKey(word) !== '')
  const isChanged = await tx.alertWords[change](userId, wanted)
  const alertWords = await tx.alertWords.of(userId)
  if (change === 'add' && isChanged) checkRoom(alertWords)
  if (isChanged) announceToSelf(tx, userId, { type: 'alert_words', alert_words: alertWords })
  return alertWords
}

function checkRoom(alertWords: readonly string[]): void {
  if (alertWords.length > MAX_ALERT_WORDS)
    throw new BadRequestError(`Too many alert words (maximum ${MAX_ALERT_WORDS})`)
  if (isLongerThan(alertWords.join(''), MAX_ALERT_WORDS_LENGTH)) {
    throw new BadRequestError(`Your alert words are too long (limit: ${MAX_ALERT_WORDS_LENGTH} characters in all)`)
  }
}
