import { changeAlertWords } from '../../actions/users/change-alert-words.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/alert_words. */
export const removeAlertWords: Handler<'remove-alert-words'> = async ({ input, write }) => ({
  alert_words: await write((tx, actor) => changeAlertWords(tx, actor.id, 'remove', input.alert_words)),
})
