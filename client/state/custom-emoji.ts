import { wholeList } from './whole-lists.ts'

export const part = wholeList('realm_emoji', { event: 'realm_emoji update', empty: { realm_emoji: {} } })
