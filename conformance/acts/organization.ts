import type { Requests } from './right-request.ts'

export const requests: Requests = {
  // What is set for everybody stays as it is.
  'update-realm': async ({ user }) => {
    const { body } = await user.must('register-queue', { event_types: [], fetch_event_types: ['realm'] })
    return { allow_message_editing: body.realm_allow_message_editing }
  },
}
