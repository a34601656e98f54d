import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'mute-user': async (_, t) => ({ muted_user_id: (await t.newUser()).userId }),
  'unmute-user': async ({ user }, t) => {
    const values = { muted_user_id: (await t.newUser()).userId }
    await user.must('mute-user', values)
    return values
  },
}
