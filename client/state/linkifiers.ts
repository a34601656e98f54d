import { wholeList } from './whole-lists.ts'

export const part = wholeList('realm_linkifiers')
