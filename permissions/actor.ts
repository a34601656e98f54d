import type { Readers } from '../db/repositories.ts'
import { UserDeactivatedError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { User } from '../domain/users/user.ts'

declare const brand: unique symbol

/**
 * The account that makes a request. No other account can be passed by mistake: only code that authenticated it, or read
 * it again afterwards, makes one.
 */
export type Actor = User & { readonly [brand]: 'Actor' }

/** @throws {UserDeactivatedError} */
export function asActor(user: User | undefined): Actor {
  if (!user?.isActive) throw new UserDeactivatedError()
  return user as Actor
}

/**
 * Returns the caller as `read` sees it, because the role may have changed since authentication.
 *
 * @throws {UserDeactivatedError}
 */
export async function presentActor(read: Readers, id: UserId): Promise<Actor> {
  return asActor(await read.users.byId(id))
}
