import type { UserId } from '../ids.ts'
import { standInEmail } from './email-visibility.ts'
import { ROLE } from './roles.ts'
import type { User } from './user.ts'

/** Name of everybody whom somebody does not see. */
export const UNKNOWN_NAME = 'Unknown user'

/**
 * How an account looks to whoever may know nothing of it but that its id exists. Nothing here depends on the account.
 * @param host of the organization
 */
export function unknownUser(id: UserId, host: string): User {
  const email = standInEmail(id, host)
  return {
    id,
    email,
    emailVisibility: 4,
    standInEmail: email,
    fullName: UNKNOWN_NAME,
    role: ROLE.member,
    isActive: true,
    isBot: false,
    botType: null,
    botOwnerId: null,
    canCreateUsers: false,
    canChangeUserEmails: false,
    timezone: '',
    avatarKey: null,
    avatarVersion: 1,
    dateJoined: 0,
    isImportedStub: false,
    keyVersion: 1,
    profileJson: null,
  }
}
