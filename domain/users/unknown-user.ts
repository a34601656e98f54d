import type { UserId } from '../ids.ts'
import { standInEmail } from './email-visibility.ts'
import { ROLE } from './roles.ts'
import type { User } from './user.ts'

/** Name of users whom the viewer cannot see. */
export const UNKNOWN_NAME = 'Unknown user'

/**
 * Returns an account for viewers who may know only that its ID exists. Nothing in it depends on the account.
 *
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
