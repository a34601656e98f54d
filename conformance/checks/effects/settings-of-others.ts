import { newUserGroup } from '../../acts/user-groups.ts'
import type { Account } from '../../deployment/account.ts'
import { described } from '../../deployment/described.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import type { Exchange } from '../../wire/http.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-settings/others',
    'an administrator gives settings to those who are named, and to nobody else; where it is asked for not to those who chose themselves',
    ['update-settings', 'create-user-group', 'register-queue', 'get-events', 'create-user'],
    async (t, shows) => {
      const administrator = t.person('administrator')
      const [named, member, other] = [await t.newUser(), await t.newUser(), await t.newUser()]
      const values = { name: t.unique('conformance'), description: '', members: [member.userId] }
      const group = await newUserGroup(administrator, values)
      const people = { user_ids: [named.userId], group_ids: [group] }
      const has = async (user: Account, color_scheme: number, why: string): Promise<Exchange> => {
        const exchange = await described(user, ['user_settings'])
        const present = exchange.body.user_settings.color_scheme
        shows(exchange, present === color_scheme, `\`color_scheme\` of user ${user.userId} is ${color_scheme}: ${why}`)
        return exchange
      }
      for (const user of [administrator, other]) await user.must('update-settings', { color_scheme: 1 })
      const queue = await listen(member, ['user_settings'])
      await administrator.must('update-settings', { target_users: people, color_scheme: 2 })
      await has(named, 2, 'named')
      await has(member, 2, `in group ${group}`)
      await has(other, 1, 'not named')
      await has(administrator, 1, 'only who is named')
      if (!(await eventOf(shows, queue, { type: 'user_settings', property: 'color_scheme', value: 2 }))) return
      await named.must('update-settings', { color_scheme: 1 })
      const skipping = { ...people, skip_if_already_edited: true }
      await administrator.must('update-settings', { target_users: skipping, color_scheme: 3 })
      await has(named, 1, 'set by themselves')
      await has(member, 3, 'never set by themselves')
      const refused = await other.call('update-settings', { target_users: people, color_scheme: 2 })
      shows(refused, refused.status >= 400, `no change of user ${named.userId} by user ${other.userId}`)
      await has(named, 1, 'nobody below administrators changes others')
    },
  ),
]
