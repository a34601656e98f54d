import type { CheckContext } from '../kernel/check-context.ts'
import { ofNobody } from '../kernel/messaging.ts'
import type { Requests } from './right-request.ts'

/** Whether the server says that people log in without a password. */
export async function hasDevelopmentLogin(t: CheckContext): Promise<boolean> {
  const { body } = await ofNobody(t, 'get-server-settings')
  return body?.authentication_methods?.dev === true
}

/** Leaves the check out on most servers, which have no such login. */
export async function withDevelopmentLogin(t: CheckContext): Promise<void> {
  if (!(await hasDevelopmentLogin(t))) t.leaveOut('needs a server on which people log in without a password')
}

export const requests: Requests = {
  'fetch-api-key': async (_, t) => {
    const { email, password } = await t.newUser()
    return { username: email, password }
  },
  'dev-fetch-api-key': async ({ user }, t) => {
    await withDevelopmentLogin(t)
    return { username: user.email }
  },
  'regenerate-own-api-key': async (_, t) => ({ as: await t.newUser(), values: {} }),
}
