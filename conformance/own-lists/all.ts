import { collected } from '../own-lists.generated.ts'
import type { OwnList } from './own-list.ts'

/** Every noun of which people keep rows for themselves. */
export const ownLists: readonly OwnList[] = collected as readonly OwnList[]
