import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { type Ground, kind, nothing, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
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

const activity = ({ isOurs, manager }: Ground) => ({ by: manager, ...(isOurs && { channel: some }) })

export const actions = [
  kind('create user', nothing, async (world) => {
    await world.makeUser()
    return undefined
  }),
  kind(
    'rename user',
    ({ manager, managed }) => ({ by: manager, user: managed, suffix: fc.constantFrom('Marsh', 'Kim') }),
    async (world, { by, user, suffix }) => {
      const { userId, fullName } = (await world.managed(user)) ?? {}
      const values = { user_id_or_email: userId, full_name: `${fullName} ${suffix}` }
      return userId === undefined ? undefined : world.manager(by)?.call('update-user', values)
    },
  ),
  kind(
    'change role',
    ({ isOurs, manager, managed }) => ({
      by: manager,
      user: managed,
      role: isOurs ? fc.constantFrom(200, 200, 200, 300, 400, 400, 600) : fc.constantFrom(300, 600, 400),
    }),
    async (world, { by, user, role }) => {
      const { userId } = (await world.managed(user)) ?? {}
      return userId === undefined
        ? undefined
        : world.manager(by)?.call('update-user', { user_id_or_email: userId, role })
    },
  ),
  kind('deactivate user', activity, async (world, { by, channel }) => {
    const newcomer = await follower(world, channel)
    return newcomer && world.manager(by)?.call('deactivate-user', { user_id_or_email: newcomer.userId })
  }),
  kind('reactivate user', activity, async (world, { by, channel }) => {
    const newcomer = await follower(world, channel)
    // A formerly active account has channels to come back to.
    if (newcomer && channel !== undefined) {
      await world.manager()?.call('deactivate-user', { user_id_or_email: newcomer.userId })
    }
    return newcomer && world.manager(by)?.call('reactivate-user', { user_id: newcomer.userId })
  }),
  kind('hear from user', nothing, async (world, { who }) => {
    const newcomer = await world.newcomer()
    const to = [world.person(who).userId]
    return newcomer && world.send(newcomer, { type: 'direct', to, content: world.text('Hello.') })
  }),
]

/** Subscribes a person of the world to a channel; refused if they are deactivated or the administrator may not. */
async function follower(world: World, channel: number | undefined): Promise<Account | undefined> {
  const newcomer = await world.newcomer()
  if (newcomer && channel !== undefined) {
    const values = { subscriptions: [{ name: world.channel(channel).name }], principals: [newcomer.userId] }
    await world.manager()?.call('subscribe', values)
  }
  return newcomer
}
