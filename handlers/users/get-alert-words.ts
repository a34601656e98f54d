import type { Handler } from '../handler.ts'

/** GET /users/me/alert_words. */
export const getAlertWords: Handler<'get-alert-words'> = async ({ actor, db }) => ({
  alert_words: await db.read.alertWords.of(actor.id),
})
