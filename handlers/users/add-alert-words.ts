import { changeAlertWords } from '../../actions/users/change-alert-words.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/alert_words. */
export const addAlertWords: Handler<'add-alert-words'> = async ({ input, write }) => ({
  alert_words: await write((tx, actor) => changeAlertWords(tx, actor.id, 'add', input.alert_words)),
})
