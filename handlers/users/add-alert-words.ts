import { changeAlertWords } from '../../actions/change-alert-words.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/alert_words. */
export const addAlertWords: Handler<'add-alert-words'> = async ({ input, actor, db }) => ({
  alert_words: await db.transaction((tx) => changeAlertWords(tx, actor.id, 'add', input.alert_words)),
})
