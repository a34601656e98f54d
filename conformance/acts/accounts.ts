import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'fetch-api-key': async (_, t) => {
    const { email, password } = await t.newUser()
    return { username: email, password }
  },
}
