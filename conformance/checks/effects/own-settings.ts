import { newUserGroup } from '../../acts/user-groups.ts'
import { type Account, operationNamed, type Values } from '../../deployment/account.ts'
import { described } from '../../deployment/described.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { ofNobody } from '../../kernel/messaging.ts'
import { type Parameter, parameterAt } from '../../wire/contract.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses, refusesWith, succeeds } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-settings/each',
    'every setting accepts each of its values under its own name, and is announced',
    async (t, shows) => {
      const user = await t.newUser()
      const { settings } = await settingsOf(user)
      const known = settingParameters(t).filter(({ name }) => name in settings)
      const values = known.map(({ name, schema }) => [name, valuesOf(name, schema, settings)] as const)
      const rounds = Math.max(...values.map(([, all]) => all.length))
      let current: Json = settings
      for (let round = 0; round < rounds; round += 1) {
        const step = Object.fromEntries(
          values.flatMap(([name, all]) => (round < all.length ? [[name, all[round]]] : [])),
        )
        current = await isSet(shows, user, current, step)
      }
    },
  ),
  effect(
    ['update-display-settings', 'update-notification-settings'],
    'the older parameters of PATCH /settings accept settings of every kind',
    async (t, shows) => {
      const user = await t.newUser()
      let { settings: current } = await settingsOf(user)
      // Only a change has an event, and an organization chooses with which values accounts start.
      for (const operation of ['update-display-settings', 'update-notification-settings'] as const) {
        const { high_contrast_mode, color_scheme, enable_sounds, enter_sends } = current
        const step = {
          high_contrast_mode: !high_contrast_mode,
          color_scheme: (color_scheme % 3) + 1,
          enable_sounds: !enable_sounds,
          enter_sends: !enter_sends,
        }
        current = await isSet(shows, user, current, step, operation)
      }
    },
  ),
  effectNamed(
    'effects/update-settings/password',
    'changing the password requires the old one, which is refused from then on',
    async (t, shows) => {
      const user = await t.newUser()
      const keyFor = (password: unknown) => ofNobody(t, 'fetch-api-key', { username: user.email, password })
      const [old_password = '', new_password] = [user.password, 'five winds meet there 5']
      const wrong = await user.call('update-settings', { old_password: `${old_password}?`, new_password })
      refuses(shows, wrong, 'the old password is wrong')
      const weak = await user.call('update-settings', { old_password, new_password: 'x' })
      refuses(shows, weak, 'a password of one character is too weak')
      const first = await keyFor(old_password)
      shows(first, first.body?.api_key === user.login.apiKey, 'the key of the account: nothing has changed')
      await user.must('update-settings', { old_password, new_password })
      const now = await keyFor(new_password)
      const { email, user_id: id } = now.body ?? {}
      shows(now, now.status === 200, 'a key, with the new password')
      const isSaid = email === user.email && id === user.userId
      shows(now, isSaid, `\`email\` is "${user.email}" and \`user_id\` ${user.userId}`)
      // If the password change renews the key, this is the new one; otherwise the key is the same.
      succeeds(shows, await user.withKey(String(now.body?.api_key)).call('get-own-user'), 'that key counts')
      if (t.isParley) {
        refusesWith(shows, 'INVALID_API_KEY', await user.call('get-own-user'), 'the former key went with the password')
      }
      refuses(shows, await keyFor(old_password), 'the password is another now')
    },
  ),
  effectNamed(
    'effects/update-settings/others',
    'an administrator changes settings of the named users and groups only, and on request not of users who chose a value themselves',
    async (t, shows) => {
      const administrator = t.person('administrator')
      const [named, member, other] = [await t.newUser(), await t.newUser(), await t.newUser()]
      const make = (values: Values) =>
        newUserGroup(administrator, { name: t.unique('conformance'), description: '', members: [], ...values })
      const group = await make({ subgroups: [await make({ members: [member.userId] })] })
      const people = { user_ids: [named.userId], group_ids: [group] }
      const has = async (user: Account, color_scheme: number, why: string): Promise<Exchange> => {
        const exchange = await described(user, ['user_settings'])
        const present = exchange.body.user_settings.color_scheme
        shows(exchange, present === color_scheme, `\`color_scheme\` of user ${user.userId} is ${color_scheme}: ${why}`)
        return exchange
      }
      const usual = Number((await described(member, ['user_settings'])).body.user_settings.color_scheme)
      const [second, third] = [(usual % 3) + 1, ((usual + 1) % 3) + 1]
      for (const user of [administrator, other]) await user.must('update-settings', { color_scheme: usual })
      const queue = await listen(member, ['user_settings'])
      await administrator.must('update-settings', { target_users: people, color_scheme: second })
      await has(named, second, 'named')
      await has(member, second, `in a group within group ${group}`)
      await has(other, usual, 'not named')
      await has(administrator, usual, 'only who is named')
      if (!(await eventOf(shows, queue, { type: 'user_settings', property: 'color_scheme', value: second }))) return
      await named.must('update-settings', { color_scheme: usual })
      const skipping = { ...people, skip_if_already_edited: true }
      await administrator.must('update-settings', { target_users: skipping, color_scheme: third })
      await has(named, usual, 'set by themselves')
      await has(member, third, 'never set by themselves')
      if (t.isParley) await administrator.must('update-settings', { target_users: {}, color_scheme: second })
      await has(administrator, usual, 'nobody is named')
      const refused = await other.call('update-settings', { target_users: people, color_scheme: second })
      shows(refused, refused.status >= 400, `no change of user ${named.userId} by user ${other.userId}`)
      await has(named, usual, 'nobody below administrators changes others')
    },
  ),
]

/** Settings that POST /register returns under the same name and anybody may choose freely. */
function settingParameters({ deployment, level }: CheckContext): readonly Parameter[] {
  const { parameters } = operationNamed(deployment.contract, 'update-settings')
  return parameters
    .filter(({ name }) => !excluded.has(name) && (deployment.isParley || !ofParley.has(name)))
    .map((parameter) => parameterAt(parameter, level))
}

/** Account settings that other checks cover, or that a server may not offer. */
const excluded = new Set([
  ...['full_name', 'email', 'old_password', 'new_password', 'timezone', 'email_address_visibility'],
])

/** Only Parley documents them, or other servers offer a choice only if there is more than one value. */
const ofParley = new Set(['enable_login_emails', 'enable_marketing_emails', 'allow_private_data_export'])

/** Values other than the current one, then the current one again, so that each is a change. */
function valuesOf(name: string, { type, enum: choices }: Parameter['schema'], settings: Json): readonly unknown[] {
  const present: unknown = settings[name]
  if (typeof present === 'boolean') return [!present, present]
  const some = choices ?? offered(name, settings)
  if (some.length > 0) {
    return [...some.filter((one) => one !== present && one !== null), present]
  }
  if (name === 'email_notifications_batching_period_seconds') return [300, present]
  if (type === 'integer' && typeof present === 'number') return [present + 1, present]
  return []
}

/** Choices that the contract does not know. */
function offered(name: string, { available_notification_sounds: sounds }: Json): readonly unknown[] {
  if (name === 'default_language') return ['de', 'en']
  return name === 'notification_sound' ? listOf(sounds).slice(0, 2) : []
}

/** Applies `step`, and checks that events and settings show exactly these changes. @returns the settings now */
async function isSet(shows: Shows, user: Account, before: Json, step: Values, operation = 'update-settings') {
  const queue = await listen(user, ['user_settings'])
  const changed = await user.must(operation, step)
  const ignored: readonly string[] = changed.body.ignored_parameters_unsupported ?? []
  const wanted = new Map(Object.entries(step).filter(([name]) => !ignored.includes(name)))
  const told = new Map<string, unknown>()
  const { event, exchange, lacked } = await queue.until(({ type, property, value }) => {
    if (type === 'user_settings') told.set(property, value)
    return [...wanted].every(([name, one]) => told.get(name) === one)
  })
  const untold = [...wanted].filter(([name, value]) => told.get(name) !== value).map(([name]) => name)
  const says = `an event of each of ${wanted.size} settings; of ${untold.join()} there is none; ${lacked.slice(-300)}`
  shows(exchange, event !== undefined, says)
  const after = await settingsOf(user)
  for (const [name, value] of Object.entries(after.settings)) {
    const right = wanted.has(name) ? wanted.get(name) : before[name]
    if (typeof right === 'object') continue
    shows(after.exchange, value === right, `\`${name}\` is ${JSON.stringify(right)}`)
  }
  return after.settings
}

async function settingsOf(user: Account): Promise<{ exchange: Exchange; settings: Json }> {
  const exchange = await user.must('register-queue', { event_types: ['user_settings'] })
  return { exchange, settings: exchange.body.user_settings }
}
