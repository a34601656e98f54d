import type { Tx } from '../db/repositories.ts'
import { BadRequestError, NoSuchItemError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { MAX_NAVIGATION_VIEWS } from '../domain/limits.ts'
import { requiredName, requiredText } from '../domain/text/given-text.ts'
import type { Schemas } from '../generated/operations.ts'
import { announceToSelf } from './announce-to-self.ts'

type NavigationView = Schemas['NavigationView']
type Change = { readonly is_pinned?: boolean | undefined; readonly name?: string | undefined }

const MAX_FRAGMENT_LENGTH = 191
const MAX_NAME_LENGTH = 100
/** Views that clients have built in, with fixed names. */
const BUILT_IN = [
  ...['inbox', 'recent', 'feed', 'drafts', 'reminders', 'scheduled'],
  ...['narrow/is/starred', 'narrow/is/mentioned', 'narrow/has/reaction/sender/me'],
]

/** @throws {BadRequestError} if the view is invalid, exists already, or there are too many (DIFF-VIEWS) */
export async function addNavigationView(tx: Tx, userId: UserId, given: NavigationView): Promise<void> {
  const fragment = requiredText('fragment', given.fragment.trim(), MAX_FRAGMENT_LENGTH)
  // Clients resolve these in the path of a request, so they could neither change nor remove the view.
  if (fragment === '.' || fragment === '..') throw new BadRequestError('fragment cannot be . or ..')
  const view = { fragment, is_pinned: given.is_pinned, name: given.name === null ? null : nameOf(fragment, given.name) }
  const known = await tx.navigationViews.of(userId)
  if (known.some((one) => one.fragment === fragment)) throw new BadRequestError('Navigation view already exists.')
  if (known.length >= MAX_NAVIGATION_VIEWS) {
    throw new BadRequestError(`An account has at most ${MAX_NAVIGATION_VIEWS} navigation views.`)
  }
  await tx.navigationViews.insert(userId, view)
  announceToSelf(tx, userId, { type: 'navigation_view', op: 'add', navigation_view: view })
}

/**
 * Changes the given fields, and announces those that differ. @throws {NoSuchItemError} {BadRequestError} if no field is
 * given
 */
export async function changeNavigationView(tx: Tx, userId: UserId, fragment: string, change: Change): Promise<void> {
  const before = await viewOf(tx, userId, fragment)
  if (change.is_pinned === undefined && change.name === undefined) {
    throw new BadRequestError('Nothing to change: is_pinned or name is missing')
  }
  const view = {
    ...before,
    ...(change.is_pinned !== undefined && { is_pinned: change.is_pinned }),
    ...(change.name !== undefined && { name: nameOf(before.fragment, change.name) }),
  }
  const data = {
    ...(view.is_pinned !== before.is_pinned && { is_pinned: view.is_pinned }),
    ...(view.name !== before.name && { name: view.name }),
  }
  if (Object.keys(data).length === 0) return
  await tx.navigationViews.update(userId, view)
  announceToSelf(tx, userId, { type: 'navigation_view', op: 'update', fragment: before.fragment, data })
}

/** @throws {NoSuchItemError} */
export async function removeNavigationView(tx: Tx, userId: UserId, wanted: string): Promise<void> {
  const { fragment } = await viewOf(tx, userId, wanted)
  await tx.navigationViews.delete(userId, fragment)
  announceToSelf(tx, userId, { type: 'navigation_view', op: 'remove', fragment })
}

async function viewOf(tx: Tx, userId: UserId, wanted: string): Promise<NavigationView> {
  const found = (await tx.navigationViews.of(userId)).find(({ fragment }) => fragment === wanted.trim())
  if (!found) throw new NoSuchItemError('Navigation view does not exist.')
  return found
}

function nameOf(fragment: string, name: string): string {
  if (BUILT_IN.includes(fragment)) throw new BadRequestError('Built-in views cannot have a custom name')
  return requiredName('name', name, MAX_NAME_LENGTH)
}
