import type { Account } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import { whileSet } from '../deployment/organization.ts'
import { fieldTypes } from '../deployment/profile-fields.ts'
import type { WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { answerWhen } from '../kernel/messaging.ts'
import { newPerson } from '../kernel/people-of-roles.ts'
import { listOf } from '../wire/values.ts'

/** From this level the setting takes a group's id, as other settings do. */
const groupsFrom = 314

export const checks: readonly WrittenCheck[] = [
  {
    id: 'limited-sight/changes',
    title: 'guests who do not see everybody receive events only about people whom they see',
    requirements: ['EV-REALMUSER-2'],
    also: ['CONTRACT-AUDIENCE'],
    isForAll: true,
    async run(t) {
      if (t.level < groupsFrom) t.leaveOut(`before level ${groupsFrom} the setting is of another form`)
      const [known, stranger] = [await t.newUser(), await t.newUser()]
      const guest = (await newPerson(t, 'guest')) ?? t.withoutUsers()
      for (const one of [guest, stranger]) await leaveAll(one)
      const channel = await t.channel(known)
      const principals = [guest.userId]
      await known.must('subscribe', { subscriptions: [{ name: channel.name }], principals })
      const owner = t.person('owner')
      const { body } = await described(owner, ['realm_user_groups'])
      const members = listOf(body.realm_user_groups).find(({ name }) => name === 'role:members')
      if (members === undefined) t.leaveOut('there is no group of all members')
      const settings = { can_access_all_users_group: members.id as number }
      const look = (): Promise<void> => changesAreTold(t, { guest, known, stranger })
      await t.unlessDisturbed(() => whileSet(owner, [known], settings, look))
    },
  },
]

/** New accounts may have default subscriptions. */
async function leaveAll(one: Account): Promise<void> {
  const { body } = await one.must('get-subscriptions')
  const subscriptions = listOf(body.subscriptions).map(({ name }) => name as string)
  if (subscriptions.length > 0) await one.must('unsubscribe', { subscriptions })
}

interface People {
  readonly guest: Account
  /** Subscribed to a channel of the guest. */
  readonly known: Account
  readonly stranger: Account
}

async function changesAreTold(t: CheckContext, { guest, known, stranger }: People): Promise<void> {
  const client_capabilities = { notification_settings_null: true, user_list_incomplete: true }
  const queue = await listen(guest, ['realm_user'], { client_capabilities })
  const full_name = t.unique('Renamed Conformance User')
  const administrator = t.person('administrator')
  const name = t.unique('Where').slice(-40)
  const { body: field } = await administrator.must('create-custom-profile-field', {
    name,
    field_type: fieldTypes.shortText,
  })
  // The stranger comes first: after the events about the other person there is nothing left to come.
  await stranger.must('update-own-profile-data', { data: [{ id: field.id, value: 'Here' }] })
  // There and back, because the check may run again.
  for (const timezone of ['Asia/Tokyo', 'Europe/Rome']) await stranger.must('update-settings', { timezone })
  for (const role of [300, 400]) await administrator.must('update-user', { user_id_or_email: stranger.userId, role })
  await administrator.must('deactivate-user', { user_id_or_email: stranger.userId })
  await administrator.must('reactivate-user', { user_id: stranger.userId })
  for (const { userId } of [stranger, known])
    await administrator.must('update-user', { user_id_or_email: userId, full_name: `${full_name} ${userId}` })
  const { event, events, exchange, lacked } = await queue.until(({ person }) => person?.user_id === known.userId)
  const isTold = event !== undefined
  t.that('EV-REALMUSER-2', exchange, isTold, `a change of user ${known.userId}, whom the guest sees; but ${lacked}`)
  if (t.isParley) await presenceIsHidden(t, { guest, known, stranger })
  const isQuiet = !events.some(({ person }) => person?.user_id === stranger.userId)
  t.that(
    'EV-REALMUSER-2',
    exchange,
    isQuiet,
    `no event about user ${stranger.userId}, with whom the guest shares nothing`,
  )
}

/** Other servers limit presence by a setting of their own. */
async function presenceIsHidden(t: CheckContext, { guest, known, stranger }: People): Promise<void> {
  const ask = (last_update_id: number) => guest.must('update-presence', { status: 'active', last_update_id })
  const { presence_last_update_id: last } = (await ask(-1)).body
  for (const one of [stranger, known]) await one.must('update-presence', { status: 'active', ping_only: true })
  for (const since of [-1, last]) {
    const exchange = await answerWhen(
      guest,
      () => ask(since),
      ({ body }) => known.userId in body.presences,
    )
    const isHidden = known.userId in exchange.body.presences && !(stranger.userId in exchange.body.presences)
    const says = `presence of user ${known.userId} and none of user ${stranger.userId}, since ${since}`
    t.that('CONTRACT-AUDIENCE', exchange, isHidden, says)
  }
}
