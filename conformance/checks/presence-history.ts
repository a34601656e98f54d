import { type Check, ids } from '../kernel/check.ts'
import { clockOf } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { stateFor } from './effects/hearing.ts'
import { daySeconds, entryOf, report, reportUntil, slackSeconds } from './presence.ts'

/** How far to look back for all earlier presences: a year. */
const farDays = 365

export const checks: readonly Check[] = [
  {
    area: 'POST /users/me/presence',
    profile: 'core',
    id: 'presence/history',
    title: 'presence goes back as far as is asked for',
    requirements: ['PRESENCE-7'],
    // Whether people were online long ago is not up to the suite.
    conditional: ids('PRESENCE', [10, 11, 12]),
    also: ['register-queue'],
    operations: ['update-presence', 'register-queue'],
    async run(t) {
      if (t.level < 288) return t.leaveOut('how far presence goes back is asked from level 288 on only')
      const { user: one, other } = await t.scene()
      const ask = (lastUpdateId: number, days?: number): Promise<Exchange> =>
        report(one, { status: 'active', last_update_id: lastUpdateId, history_limit_days: days })
      await report(other, { status: 'active', ping_only: true })
      const values = { status: 'active', last_update_id: -1, history_limit_days: farDays }
      const everybody = await reportUntil(t, one, values, (answer) => entryOf(answer, other) !== undefined)
      const registration = { event_types: ['presence'], slim_presence: true, presence_history_limit_days: 1 }
      for (const [id, days, exchange, all] of [
        ['register-queue', 1, await stateFor(one, registration), everybody],
        ['PRESENCE-10', 1, await ask(-1, 1), everybody],
        ['PRESENCE-11', 14, await ask(-1), everybody],
        ['PRESENCE-12', farDays, await ask(1, 1), await ask(1, farDays)],
      ] as const) {
        const isThere = entryOf(exchange, other) !== undefined
        const says = `user ${other.userId}, who was there just now`
        // The first update of a new server is not above 1.
        if (id !== 'PRESENCE-12') t.that(id === 'register-queue' ? id : 'PRESENCE-7', exchange, isThere, says)
        const seen = lastSeen(all)
        const limit = clockOf(exchange) - days * daySeconds
        // Somebody who has existed for more than a day was not created by another check, which would deactivate them.
        const within = idsBetween(seen, limit + slackSeconds, clockOf(exchange) - daySeconds - slackSeconds)
        const beyond = idsBetween(seen, 0, limit - slackSeconds)
        const missing = within.filter((key) => !(key in exchange.body.presences))
        const tooOld = beyond.filter((key) => key in exchange.body.presences)
        const expected = `everybody from ${days} days, and nobody else; lacking ${missing}, and too old ${tooOld}`
        if (within.length + beyond.length > 0) t.that(id, exchange, missing.length + tooOld.length === 0, expected)
        else t.remarks.add(`${id}: not observable here: nobody was last here longer ago than a day`)
      }
    },
  },
]

/** When people were last online, in UNIX seconds, by id. */
function lastSeen({ body }: Exchange): Map<string, number> {
  const presences = Object.entries(body.presences as Record<string, Json>)
  return new Map(
    presences.map(([id, { active_timestamp: active, idle_timestamp: idle }]) => [id, Math.max(active, idle)]),
  )
}

function idsBetween(seen: ReadonlyMap<string, number>, from: number, until: number): string[] {
  return [...seen].flatMap(([id, at]) => (from <= at && at < until ? [id] : []))
}
