import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'fetch-api-key': async (_, t) => {
    const { email, password } = await t.newUser()
    return { username: email, password }
  },
  'regenerate-own-api-key': async (_, t) => ({ as: await t.newUser(), values: {} }),
}
