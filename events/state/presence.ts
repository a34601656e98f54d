import { toWirePresences, visiblePresences } from '../../permissions/visible-presences.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `presence`: who is there. */
export const presencePart: StatePart = async (read, _actor, request) => {
  if (!request.isWanted('presence')) return {}
  const { organization, now, presenceHistoryDays: historyDays, slimPresence, serverTimestamp, pauses } = request
  const presences = await visiblePresences(read, organization, { historyDays, now, pauses })
  return {
    ...(await toWirePresences(presences, { isModern: slimPresence, pauses })),
    server_timestamp: serverTimestamp,
  }
}
