import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'get-user': ({ other }) => ({ user_id_or_email: other.userId }),
  'create-user': async (_, t) => {
    const name = t.unique('Conformance Extra')
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@conformance.example`
    return {
      as: t.deployment.userMaker ?? t.withoutUsers(),
      values: { email, password: 'four winds meet', full_name: name },
    }
  },
  'update-user': ({ other }) => ({ user_id_or_email: other.userId, full_name: other.fullName }),
  'deactivate-user': async (_, t) => ({ user_id_or_email: (await t.newUser()).userId }),
  'deactivate-own-user': async (_, t) => ({ as: await t.newUser(), values: {} }),
  'reactivate-user': async (_, t) => {
    const user = await t.newUser()
    await t.person('administrator').must('deactivate-user', { user_id_or_email: user.userId })
    return { user_id: user.userId }
  },
}
