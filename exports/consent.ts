import type { Readers } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import { personOf, type User } from '../domain/users/user.ts'
import type { UserSettings } from '../domain/users/user-settings.ts'

type Settings = ReadonlyMap<UserId, UserSettings>

/**
 * Whether an export may contain the user's private data. People choose this in their settings, for themselves and their
 * bots.
 */
export function isConsenting(user: Pick<User, 'id' | 'botOwnerId'>, settings: Settings): boolean {
  return settings.get(personOf(user))?.allow_private_data_export === true
}

/** Active people and their consent, by ascending id. */
export async function consents(read: Pick<Readers, 'users'>) {
  const people = (await read.users.all()).filter(({ isActive, isBot }) => isActive && !isBot)
  const settings = await read.users.settings(people.map(({ id }) => id))
  return people
    .toSorted((a, b) => a.id - b.id)
    .map((user) => ({
      user_id: user.id as number,
      consented: isConsenting(user, settings),
      email_address_visibility: user.emailVisibility,
    }))
}
