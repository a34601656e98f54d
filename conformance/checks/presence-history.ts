import type { Account } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import { answerWhen, clockOf } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'
import { stateFor } from './effects/hearing.ts'
import { daySeconds, entryOf, report, reportUntil, slackSeconds } from './presence.ts'

/** How far to look back for all earlier presences: a year. */
const farDays = 365
/** How long somebody may count as there now. */
const fewSeconds = 3
const fewRequests = 60

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
      await report(one, { status: 'active', ping_only: true })
      await report(other, { status: 'active', ping_only: true })
      const values = { status: 'active', last_update_id: -1, history_limit_days: farDays }
      const everybody = await reportUntil(t, one, values, (answer) => entryOf(answer, other) !== undefined)
      // The first update of a new server is not above 1. Updates have no limit.
      const far = await ask(1, farDays)
      const registration = { event_types: ['presence'], slim_presence: true, presence_history_limit_days: 1 }
      const seen = new Map<string, number>()
      const note = (known: ReadonlyMap<string, number>): void => {
        for (const [id, at] of known) seen.set(id, Math.max(at, seen.get(id) ?? 0))
      }
      for (const known of [lastSeen(everybody), lastSeen(far), await seenElsewhere(one)]) note(known)
      for (const [id, days, exchange] of [
        ['PRESENCE-10', 1, await ask(-1, 1)],
        ['PRESENCE-10', farDays, everybody],
        ['PRESENCE-11', 14, await ask(-1)],
        ['register-queue', 1, await stateFor(one, registration)],
      ] as const) {
        const isThere = entryOf(exchange, other) !== undefined
        t.that(
          id === 'register-queue' ? id : 'PRESENCE-7',
          exchange,
          isThere,
          `user ${other.userId}, who was there just now`,
        )
        const limit = clockOf(exchange) - days * daySeconds
        note(lastSeen(exchange))
        // Somebody who has existed for more than a day was not created by another check, which would deactivate them.
        const within = idsBetween(seen, limit + slackSeconds, clockOf(exchange) - daySeconds - slackSeconds)
        const beyond = idsBetween(seen, 0, limit - slackSeconds)
        const missing = within.filter((key) => !(key in exchange.body.presences))
        const tooOld = beyond.filter((key) => key in exchange.body.presences)
        if (within.length > 0) {
          t.that(id, exchange, missing.length === 0, `everybody from ${inDays(days)}; lacking ${missing}`)
        }
        if (beyond.length > 0) {
          const says = `nobody from longer ago than ${inDays(days)}; there are users ${tooOld}`
          t.that(id, exchange, tooOld.length === 0, says)
        } else if (days < farDays) {
          t.remarks.add(`${id}: not observable here: nobody was last here longer ago than ${inDays(days)}`)
        }
      }
      const start = Number(far.body.server_timestamp)
      // With a history of no days, somebody is beyond it as soon as the server's clock has gone on.
      const now = await answerWhen(
        one,
        () => ask(-1, 0),
        ({ body }) =>
          !(String(other.userId) in body.presences && body.server_timestamp < start + fewSeconds) ||
          one.requestsLeft < fewRequests,
      )
      if (entryOf(now, other) === undefined && entryOf(far, other) !== undefined) {
        const known = await ask(1, 0)
        const says = `user ${other.userId}, however long ago they were there: \`last_update_id\` is above 0`
        t.that('PRESENCE-12', known, entryOf(known, other) !== undefined, says)
      }
      const near = await ask(1, 1)
      const old = idsBetween(lastSeen(far), 0, clockOf(far) - daySeconds - slackSeconds)
      if (old.length === 0) {
        if (!t.asserted.has('PRESENCE-12'))
          t.remarks.add(`PRESENCE-12: not observable here: nobody was last here longer ago than ${inDays(1)}`)
        return
      }
      const lacking = old.filter((key) => !(key in near.body.presences))
      t.that('PRESENCE-12', near, lacking.length === 0, `as many as with ${farDays} days; lacking ${lacking}`)
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

/** The same according to other operations; empty if the server does not tell. */
async function seenElsewhere(reader: Account): Promise<Map<string, number>> {
  const [{ body: listed }, { body: told }] = [await reader.call('get-users'), await reader.call('get-all-presence')]
  const idByEmail = new Map<string, number>()
  for (const { email, user_id: id } of Array.isArray(listed?.members) ? listed.members : []) idByEmail.set(email, id)
  const presences = isObject(told?.presences) ? Object.entries<Json>(told.presences) : []
  return new Map(
    presences.flatMap(([email, entry]) => {
      const [id, at] = [idByEmail.get(email), entry?.aggregated?.timestamp]
      return id === undefined || !Number.isInteger(at) ? [] : [[String(id), Number(at)] as const]
    }),
  )
}

function idsBetween(seen: ReadonlyMap<string, number>, from: number, until: number): string[] {
  return [...seen].flatMap(([id, at]) => (from <= at && at < until ? [id] : []))
}

function inDays(days: number): string {
  return days === 1 ? 'a day' : `${days} days`
}
