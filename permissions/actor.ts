import type { Readers } from '../db/repositories.ts'
import { UserDeactivatedError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { User } from '../domain/users/user.ts'

declare const brand: unique symbol

/**
 * The account that makes a request. No other account can be passed in its place: only code that authenticated it, or
 * read it again afterwards, makes one.
 */
export type Actor = User & { readonly [brand]: 'Actor' }

/** @throws {UserDeactivatedError} */
export function asActor(user: User | undefined): Actor {
  if (!user?.isActive) throw new UserDeactivatedError()
  return user as Actor
}

/**
 * The caller as `read` sees them: between authentication and here others may have changed their role.
 * @throws {UserDeactivatedError}
 */
export async function presentActor(read: Readers, id: UserId): Promise<Actor> {
  return asActor(await read.users.byId(id))
}
