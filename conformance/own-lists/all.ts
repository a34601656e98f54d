import { ownList as drafts } from './drafts.ts'
import type { OwnList } from './own-list.ts'
import { ownList as savedSnippets } from './saved-snippets.ts'

/** Every noun of which users have lists of their own. */
export const ownLists = [drafts, savedSnippets] as readonly OwnList[]
