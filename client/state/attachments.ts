import type { ClientPart } from './state.ts'

/** POST /register returns no files, so a client only has to ignore their events. */
const passed = (): void => undefined

export const part: ClientPart<object> = {
  apply: { 'attachment add': passed, 'attachment update': passed, 'attachment remove': passed },
}
