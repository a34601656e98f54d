import type { Attack, Attacker } from './attack.ts'
import { call, flood } from './calls.ts'

/** The JSON answer of a call that must succeed. */
async function answerTo(attacker: Attacker, request: Parameters<typeof call>[1]) {
  const pieces: Buffer[] = []
  await call(attacker, request, (piece) => pieces.push(piece))
  return JSON.parse(Buffer.concat(pieces).toString() || '{}')
}

const EXPORT = { method: 'POST', path: '/api/v1/export/realm' } as const

export const exportAttacks: readonly Attack[] = [
  {
    id: 'G2',
    what: 'exports with a hundred messages that have all former versions there may be, read meanwhile',
    run: async (attacker) => {
      const { manager: authorization } = attacker.groups
      for (let count = 0; count < 2; count += 1) await call(attacker, { ...EXPORT, authorization })
      await flood(attacker, 4, (turn) =>
        turn % 4 === 0
          ? {
              method: 'GET',
              path: '/api/v1/messages',
              form: { anchor: 'oldest', num_before: 0, num_after: 100, narrow: [['channel', attacker.crowd]] },
            }
          : {
              method: 'GET',
              path: `/api/v1/messages/${attacker.muchEdited[turn % attacker.muchEdited.length]}/history`,
            },
      )
    },
  },
  {
    id: 'G1',
    what: 'an export whose administrator is deactivated before it is made',
    run: async (attacker) => {
      const { manager: authorization } = attacker.groups
      const [email, password] = ['leaving@parley.example', 'correct horse']
      const account = { email, password, full_name: 'Leaving' }
      const { user_id } = await answerTo(attacker, {
        method: 'POST',
        path: '/api/v1/users',
        form: account,
        authorization,
      })
      const path = `/api/v1/users/${user_id}`
      await call(attacker, { method: 'PATCH', path, form: { role: 200 }, authorization })
      const login = { method: 'POST', path: '/api/v1/fetch_api_key', form: { username: email, password } }
      const { api_key } = await answerTo(attacker, { ...login, authorization: null })
      const own = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
      await call(attacker, { ...EXPORT, authorization: own })
      await call(attacker, { method: 'DELETE', path, authorization })
      await flood(attacker, 1, () => ({ method: 'GET', path: '/api/v1/export/realm', authorization }))
    },
  },
]
