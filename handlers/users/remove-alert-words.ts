import { changeAlertWords } from '../../actions/change-alert-words.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/alert_words. */
export const removeAlertWords: Handler<'remove-alert-words'> = async ({ input, actor, db }) => ({
  alert_words: await db.transaction((tx) => changeAlertWords(tx, actor.id, 'remove', input.alert_words)),
})
