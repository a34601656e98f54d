import { ignoring } from './state.ts'

/** POST /register returns no files. */
export const part = ignoring('attachment add', 'attachment update', 'attachment remove')
