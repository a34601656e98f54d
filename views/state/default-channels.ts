import { isGuest } from '../../domain/users/roles.ts'
import type { StatePart } from './state-request.ts'

/** Fetch types `default_streams` and `default_stream_groups`; guests get empty lists. */
export const part: StatePart = async ({ defaultChannels }, actor, { isWanted }) => ({
  ...(isWanted('default_streams') && {
    realm_default_streams: isGuest(actor.role) ? [] : await defaultChannels.ids(),
  }),
  ...(isWanted('default_stream_groups') && {
    realm_default_stream_groups: isGuest(actor.role) ? [] : await defaultChannels.groups(),
  }),
})
