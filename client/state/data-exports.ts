import { ignoring } from './state.ts'

/** Events for administrators, whose clients fetch the list of exports when somebody opens it. */
export const part = ignoring('realm_export', 'realm_export_consent')
