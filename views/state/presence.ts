import { toWirePresences, visiblePresences } from '../presences.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `presence`: which users are present. */
export const part: StatePart = async (read, actor, request) => {
  if (!request.isWanted('presence')) return {}
  const { presenceHistoryDays: historyDays, slimPresence, serverTimestamp, pauses } = request
  const presences = await visiblePresences(read, actor, { historyDays, pauses })
  return {
    ...(await toWirePresences(presences, { isModern: slimPresence, pauses })),
    server_timestamp: serverTimestamp,
  }
}
