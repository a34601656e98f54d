import type { Account, Values } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'
import { isRecent, reportUntil } from './presence.ts'

export const checks: readonly Check[] = [
  {
    area: 'Presence entry',
    profile: 'core',
    id: 'legacy-presence/entries',
    title: 'presence comes by address unless the modern format is asked for',
    requirements: [...ids('PRESENCE', [15, 16, 17, 24, 30]), ...ids('PRES-FIELD', [4, 5, 6, 7, 8, 9, 10])],
    operations: ['update-presence', 'get-user'],
    async run(t) {
      const { user: one, other } = await t.scene()
      await report(other, {})
      const known = await one.must('get-user', { user_id_or_email: String(other.userId) })
      const address: string = known.body.user.email
      const isThere = ({ body }: Exchange): boolean => body.presences?.[address] !== undefined
      const usual = await reportUntil(t, one, { status: 'active' }, isThere)
      const fat = await report(one, { slim_presence: false })
      const slim = await report(one, { slim_presence: true })
      for (const [id, exchange] of [
        ['PRESENCE-15', usual],
        ['PRESENCE-17', usual],
        ['PRESENCE-17', fat],
        ['PRESENCE-24', usual],
        ['PRES-FIELD-4', usual],
      ] as const) {
        const keys = Object.keys(exchange.body.presences)
        const areAddresses = keys.includes(address) && keys.every((key) => key.includes('@'))
        t.that(id, exchange, areAddresses, `addresses for keys, "${address}" among them`)
      }
      const keys = Object.keys(slim.body.presences)
      const areIds = keys.includes(String(other.userId)) && keys.every((key) => /^\d+$/.test(key))
      for (const id of ['PRESENCE-16', 'PRESENCE-24']) {
        t.that(id, slim, areIds, `user IDs for keys, ${other.userId} among them`)
      }
      const { aggregated, ...clients }: Json = usual.body.presences[address] ?? {}
      const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, usual, holds, expected)
      is('PRES-FIELD-5', isObject(aggregated), '`aggregated` is an object')
      const each: readonly Json[] = Object.values(clients)
      is('PRES-FIELD-6', each.length > 0 && each.every(isObject), 'an object for at least one client')
      is('PRESENCE-30', Object.keys(clients).join() === 'website', '`aggregated` and `website`, no others')
      const all = [aggregated, ...each]
      const says = '`client` is a string'
      const isRight = all.every((it) => typeof it?.client === 'string')
      is('PRES-FIELD-7', isRight, says)
      const words = '`status` is "active"'
      const areRight = all.every((it) => it?.status === 'active')
      is('PRES-FIELD-8', areRight, words)
      const isSo = all.every((it) => isRecent(it?.timestamp, usual))
      is('PRES-FIELD-9', isSo, '`timestamp` is the present second')
      is(
        'PRES-FIELD-10',
        each.every((it) => typeof it?.pushable === 'boolean'),
        '`pushable` is a boolean',
      )
    },
  },
]

function report(user: Account, values: Values): Promise<Exchange> {
  return user.must('update-presence', { status: 'active', ...values })
}
