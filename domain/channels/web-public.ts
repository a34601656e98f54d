import { BadRequestError } from '../errors.ts'

interface WantedPrivacy {
  readonly inviteOnly: boolean
  readonly historyPublicToSubscribers: boolean
}

/**
 * No channel can be read without an account (DIFF-WEB-PUBLIC), whoever asks for it: what such a channel would need of its
 * privacy is said first, as where there are some.
 * @throws {BadRequestError} where one is wanted
 */
export function refuseWebPublic(isWanted: boolean | undefined, privacy: WantedPrivacy): void {
  if (!isWanted) return
  if (privacy.inviteOnly || !privacy.historyPublicToSubscribers) throw new BadRequestError('Invalid parameters')
  throw new BadRequestError('Web-public channels are not enabled.')
}
