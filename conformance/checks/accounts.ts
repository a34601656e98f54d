import { EventQueue } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import { groupSettingsIn } from '../kernel/group-settings.ts'
import { listen } from '../kernel/listening.ts'
import { fetched, postTo } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isBareSuccess, isIntegers, isRefused, isSetOf, type Json } from '../wire/values.ts'
import { onlyAdministrators } from './users.ts'

const admin = { profile: 'admin' } as const
const make = ['create-user', 'fetch-api-key'] as const
const nobody = 4

export const checks: readonly Check[] = [
  {
    ...admin,
    area: 'PATCH /users/{email}',
    id: 'accounts/by-address',
    title: 'a user is updated by address as by ID',
    requirements: ['USER-EMAIL-1', 'USER-EMAIL-4', 'USER-EMAIL-5'],
    conditional: ['USER-EMAIL-2', 'USER-EMAIL-3'],
    operations: [...make, 'get-user', 'update-user', 'update-settings'],
    async run(t) {
      if (t.level < 313) return t.leaveOut('users can be updated by address only from level 313 on')
      const boss = t.person('administrator')
      const user = await t.newUser()
      const read = (name: string): Promise<Exchange> => boss.call('get-user', { user_id_or_email: name })
      const rename = (name: string, fullName: string): Promise<Exchange> =>
        boss.call('update-user', { user_id_or_email: name, full_name: fullName })
      const isNamed = async (id: string, fullName: string): Promise<boolean> => {
        const exchange = await read(String(user.userId))
        return t.that(id, exchange, exchange.body?.user?.full_name === fullName, `\`full_name\` is "${fullName}"`)
      }
      const known = await read(String(user.userId))
      const address = known.body?.user?.delivery_email
      if (typeof address === 'string') {
        const name = t.unique('By Address')
        const named = await rename(address, name)
        const expected = `an update of ${address}, which the caller can see`
        if (!t.that('USER-EMAIL-1', named, named.status === 200, expected)) return
        await isNamed('USER-EMAIL-1', name)
        t.that('USER-EMAIL-4', named, isBareSuccess(named), '`result` and `msg`, nothing else')
        const values = { user_id_or_email: address }
        const wrong = await boss.call('update-user', { ...values, role: 500 })
        t.that('USER-EMAIL-4', wrong, isRefused(wrong), 'a refusal of the role 500')
        const promoted = await boss.call('update-user', { ...values, role: 300 })
        t.that('USER-EMAIL-4', promoted, promoted.status === 200, 'the role 300 is given')
        const after = await read(String(user.userId))
        t.that('USER-EMAIL-4', after, after.body?.user?.role === 300, '`role` is 300')
      }
      const own = await user.call('update-user', { user_id_or_email: user.email, full_name: t.unique('Own') })
      onlyAdministrators(t, 'USER-EMAIL-5', own)
      const hidden = await user.call('update-settings', { email_address_visibility: nobody })
      if (isRefused(hidden)) return
      const shown = await read(String(user.userId))
      if (shown.body?.user?.delivery_email !== null) return
      const standIn = String(shown.body.user.email)
      const isStandIn = standIn.startsWith(`user${user.userId}@`)
      t.that('USER-EMAIL-2', shown, isStandIn, `\`email\` is user${user.userId}@ and the organization's host`)
      const name = t.unique('By Stand-in')
      const byStandIn = await rename(standIn, name)
      t.that('USER-EMAIL-2', byStandIn, byStandIn.status === 200, `an update of ${standIn}`)
      await isNamed('USER-EMAIL-2', name)
      for (const exchange of [await rename(user.email, t.unique('Hidden')), await read(user.email)]) {
        t.that('USER-EMAIL-3', exchange, isRefused(exchange), `a refusal: the address ${user.email} is hidden`)
      }
      await isNamed('USER-EMAIL-3', name)
    },
  },
  {
    ...admin,
    area: 'States and transitions',
    id: 'accounts/named',
    title: 'the permissions of a channel do not name a deactivated user any more',
    requirements: ['STATE-USER-2'],
    operations: [
      ...[...make, 'subscribe', 'deactivate-user', 'get-subscriptions', 'get-streams', 'register-queue', 'get-events'],
      'delete-queue',
    ],
    async run(t) {
      if (t.level < 320) return t.leaveOut('the permissions of a channel can name people only from level 320 on')
      const [creator, reader] = [await t.user(), await t.user()]
      const user = await t.newUser()
      const direct_members = [creator.userId, user.userId]
      const setting = 'can_remove_subscribers_group'
      const channel = await t.channel(creator, [reader], false, { [setting]: { direct_members, direct_subgroups: [] } })
      const listed = async (): Promise<[Exchange, unknown]> => {
        const exchange = await reader.must('get-subscriptions')
        const found = exchange.body.subscriptions.find((one: Json) => one.stream_id === channel.id)
        return [exchange, found?.[setting]?.direct_members]
      }
      const [, named] = await listed()
      if (!isSetOf(named, direct_members)) t.leaveOut(`the channel was made with another \`${setting}\``)
      const queue = await listen(reader, ['stream'])
      await t.person('administrator').must('deactivate-user', { user_id_or_email: user.userId })
      const [after, left] = await listed()
      t.that('STATE-USER-2', after, isSetOf(left, [creator.userId]), `\`${setting}\` names user ${creator.userId} only`)
      const states = { event_types: ['stream'], fetch_event_types: ['realm', 'realm_user_groups', 'subscription'] }
      const state = await EventQueue.open(reader, states)
      for (const exchange of [after, await reader.must('get-streams'), state.registered]) {
        const naming = groupSettingsIn(exchange.body).filter(
          ({ value }) => isIntegers(value?.direct_members) && value.direct_members.includes(user.userId),
        )
        const places = naming.map(({ place }) => place)
        t.that('STATE-USER-2', exchange, places.length === 0, `nothing that names the user; but there is ${places}`)
      }
      const wanted = { type: 'stream', op: 'update', stream_id: channel.id, property: setting }
      const { event, exchange, lacked } = await queue.until(wanted)
      const isTold = isSetOf(event?.value?.direct_members, [creator.userId])
      t.that('STATE-USER-2', exchange, isTold, `an update of \`${setting}\` without the user; but ${lacked}`)
    },
  },
  {
    area: 'What the service does',
    profile: 'core',
    id: 'accounts/organization',
    title: 'people and bots are of one organization',
    requirements: ['SCOPE-1'],
    operations: ['send-message', 'get-message', 'get-users'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      const senders = [author, reader, ...(bot === undefined ? [] : [bot])]
      const listed = await reader.must('get-users')
      const members = new Set(listed.body.members.map((one: Json) => one.user_id))
      const organizations = new Set<unknown>()
      for (const sender of senders) {
        t.that('SCOPE-1', listed, members.has(sender.userId), `user ${sender.userId} among the members`)
        const exchange = await fetched(reader, await postTo(sender, [reader], 'Hello.'))
        organizations.add(exchange.body.message.sender_realm_str)
        t.that('SCOPE-1', exchange, organizations.size === 1, `one \`sender_realm_str\`, not ${[...organizations]}`)
      }
    },
  },
]
