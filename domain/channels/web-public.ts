import { BadRequestError } from '../errors.ts'

interface WantedPrivacy {
  readonly inviteOnly: boolean
  readonly historyPublicToSubscribers: boolean
}

/**
 * Refuses web-public channels, which this server does not support (DIFF-WEB-PUBLIC). Checks privacy settings first, in
 * the same way as servers that support such channels.
 *
 * @throws {BadRequestError} if one is requested
 */
export function refuseWebPublic(isWanted: boolean | undefined, privacy: WantedPrivacy): void {
  if (!isWanted) return
  if (privacy.inviteOnly || !privacy.historyPublicToSubscribers) throw new BadRequestError('Invalid parameters')
  throw new BadRequestError('Web-public channels are not enabled.')
}
