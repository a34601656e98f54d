import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'create-user-group': ({ user }, t) => newGroup(user, t),
  'update-user-group-members': async ({ user, other }, t) => {
    // Nobody is in it yet: where there is only one account, it is the other one, too.
    const { body } = await user.must('create-user-group', { ...newGroup(user, t), members: [] })
    return { user_group_id: body.group_id, add: [other.userId] }
  },
}

function newGroup(user: Account, t: CheckContext): Values {
  return { name: t.unique(user.fullName).slice(-90), description: 'For the suite.', members: [user.userId] }
}
