import { collected } from '../own-lists.generated.ts'
import type { OwnList } from './own-list.ts'

/** Every noun of which users have lists of their own. */
export const ownLists: readonly OwnList[] = collected as readonly OwnList[]
