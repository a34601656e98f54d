import { isDeepStrictEqual } from 'node:util'
import { newUserGroup } from '../../acts/user-groups.ts'
import type { Account, Values } from '../../deployment/account.ts'
import { type Event, type EventQueue, lackOf } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { heardOf, listen } from '../../kernel/listening.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses, refusesWith } from '../outcomes.ts'
import { describedGroup, listed } from './user-groups.ts'

const [administrators, moderators, members] = [3, 4, 6]
const unknowing: Values = { notification_settings_null: true }
const knowing: Values = { ...unknowing, include_deactivated_groups: true }

export const checks: readonly Check[] = [
  effect(
    'update-user-group',
    'changes of a group take effect, and are announced to everybody',
    async (t, shows, { user, other }) => {
      // If a setting names the group, its members can still manage it.
      const [id, inner] = [await made(t, user), await made(t, user, { members: [user.userId] })]
      const queue = await listen(other, ['user_group'])
      const change = changer(shows, user, other, queue, id)
      const { name, description } = describedGroup(t)
      await change({ name }, name)
      await change({ description }, description)
      const named = { direct_members: [other.userId], direct_subgroups: [inner] }
      for (const setting of settings) {
        const own = { direct_members: [user.userId, other.userId].toSorted((a, b) => a - b), direct_subgroups: [] }
        await change({ [setting]: { new: named } }, named)
        await change({ [setting]: { new: inner, old: named } }, inner)
        const stale = await user.call('update-user-group', { user_group_id: id, [setting]: { new: own, old: named } })
        refusesWith(shows, 'EXPECTATION_MISMATCH', stale, 'it is another value')
        await change({ [setting]: { new: own, old: inner } }, own)
      }
      const both = describedGroup(t)
      await user.must('update-user-group', { user_group_id: id, ...both })
      const told: Json = {}
      for (let left = 2; left > 0 && !isDeepStrictEqual(told, both); left -= 1) {
        const one = await heardOf(shows, queue, { op: 'update', group_id: id }, 'an event of two changes')
        Object.assign(told, one?.event.data)
      }
      const { exchange, group } = await listed(other, id)
      shows(exchange, group?.name === both.name && group?.description === both.description, 'both changes')
      shows(exchange, isDeepStrictEqual(told, both), `both changes as they were told: ${JSON.stringify(told)}`)
    },
  ),
  effectNamed(
    'effects/update-user-group/refused',
    'only managers can change a group, and an invalid change is refused as a whole',
    async (t, shows, { user, other }) => {
      const [id, taken] = [await made(t, user), describedGroup(t)]
      await user.must('create-user-group', { ...taken, members: [] })
      const before = await listed(user, id)
      const refused = async (who: Account, user_group_id: number, values: Values, why: string): Promise<void> => {
        refuses(shows, await who.call('update-user-group', { user_group_id, ...values }), why)
      }
      if (other !== user) await refused(other, id, { description: 'Mine.' }, 'others do not manage the group')
      await refused(t.person('owner'), members, { description: 'Ours.' }, 'nobody changes groups of the system')
      await refused(user, id, {}, 'there is nothing to change')
      await refused(user, id, { description: 'New.', name: taken.name }, 'another group has this name')
      await refused(user, id, { description: 'New.', name: 'role:new' }, 'no name begins with role:')
      const wrong = { new: { direct_members: [2_000_000_000], direct_subgroups: [] } }
      await refused(user, id, { description: 'New.', can_mention_group: wrong }, 'there is no such user')
      const { exchange, group } = await listed(user, id)
      shows(exchange, isDeepStrictEqual(group, before.group), 'the group as it was')
    },
  ),
  effect(
    'deactivate-user-group',
    'a deactivated group is hidden from clients without the capability, and can be reactivated',
    async (t, shows, { user, other }) => {
      const id = await newUserGroup(user, { ...describedGroup(t), members: [other.userId] })
      const open = (client_capabilities: Values) => listen(other, ['user_group'], { client_capabilities })
      const [modern, older] = [await open(knowing), await open(unknowing)]
      const hears = async (queue: EventQueue, op: string, is: (event: Event) => boolean, says: string) => {
        const { event, exchange, lacked } = await queue.until((one) => one.type === 'user_group' && isOf(one, id))
        shows(exchange, event?.op === op && is(event), `${says}; but ${lacked || JSON.stringify(event)}`)
      }
      if (other !== user) {
        const early = await other.call('deactivate-user-group', { user_group_id: id })
        refuses(shows, early, 'others do not manage the group')
      }
      await user.must('deactivate-user-group', { user_group_id: id })
      await hears(modern, 'update', ({ data }) => data?.deactivated === true, '`update` with `deactivated` true')
      await hears(older, 'remove', () => true, '`remove` for a client that does not know deactivated groups')
      await isListed(shows, other, id, true)
      const named = await user.call('create-user-group', { ...describedGroup(t), members: [], subgroups: [id] })
      refuses(shows, named, 'a deactivated group cannot become a subgroup')
      if (t.level >= 340) {
        const { description } = describedGroup(t)
        await user.must('update-user-group', { user_group_id: id, description })
        await hears(modern, 'update', ({ data }) => data?.description === description, 'its new description')
      }
      if (t.level >= 386) {
        await user.must('update-user-group', { user_group_id: id, deactivated: false })
        await hears(modern, 'update', ({ data }) => data?.deactivated === false, '`update` with `deactivated` false')
        const isWhole = ({ group }: Event): boolean => isSetOf(group?.members, [other.userId])
        await hears(older, 'add', isWhole, '`add` with its member, for a client that does not know deactivated groups')
        await isListed(shows, other, id, false)
        await user.must('deactivate-user-group', { user_group_id: id })
      }
    },
  ),
  effectNamed(
    'effects/deactivate-user-group/in-use',
    'a group in use cannot be deactivated, and the refusal names what uses it',
    async (t, shows, { user }) => {
      const id = await made(t, user)
      const outer = await made(t, user, { subgroups: [id] })
      const naming = await made(t, user, { can_mention_group: id })
      const refused = await user.call('deactivate-user-group', { user_group_id: id })
      refuses(shows, refused, `group ${outer} contains it, and one of group ${naming} names it`)
      if (t.level >= 298) {
        const objections = listOf(refused.body?.objections)
        const isWhole = (objection: Values): boolean => objections.some((one) => lackOf(one, objection) === undefined)
        const says = `\`objections\` that name group ${outer} and \`can_mention_group\` of ${naming}`
        const isRight =
          isWhole({ type: 'subgroup', supergroup_ids: [outer] }) &&
          isWhole({ type: 'user_group', group_id: naming, settings: ['can_mention_group'] })
        shows(refused, isRight && refused.body?.code === 'CANNOT_DEACTIVATE_GROUP_IN_USE', says)
      }
      const { exchange, group } = await listed(user, id)
      shows(exchange, group?.deactivated === false, 'a group in use')
      await user.must('update-user-group', { user_group_id: naming, can_mention_group: { new: members } })
      await user.must('update-user-group-members', { user_group_id: outer, delete_subgroups: [id] })
      await user.must('deactivate-user-group', { user_group_id: id })
    },
  ),
  effect('get-user-groups', 'groups are listed as POST /register returns them', async (t, shows, { user, other }) => {
    const id = await made(t, user, { members: [other.userId], subgroups: [moderators] })
    const { group: wanted } = await listed(other, id)
    const exchange = await other.must('get-user-groups')
    const group = listOf(exchange.body.user_groups).find((one) => one.id === id)
    shows(exchange, isDeepStrictEqual(group, wanted), `group ${id} as POST /register has it`)
    const system = listOf(exchange.body.user_groups).filter(({ name }) => name === 'role:members')
    shows(exchange, system.length === 1 && system[0]?.is_system_group === true, 'the group role:members')
  }),
  effect(
    ['get-user-group-members', 'get-is-user-group-member', 'get-user-group-subgroups', 'update-user-group-subgroups'],
    'the members of a group are listed, directly or with those of its subgroups',
    async (t, shows) => {
      const [user, one, two] = [await t.user(), await t.user(), await t.user()]
      const inner = await made(t, user, { members: [one.userId], subgroups: [administrators] })
      const outer = await made(t, user, { members: [two.userId] })
      const queue = await listen(two, ['user_group'])
      const nested = { user_group_id: outer, add: [inner] }
      await user.must('update-user-group-subgroups', nested)
      await told(shows, queue, 'add_subgroups', outer, inner)
      refuses(shows, await user.call('update-user-group-subgroups', nested), 'it is a subgroup already')
      const circle = await user.call('update-user-group-subgroups', { user_group_id: inner, add: [outer] })
      refuses(shows, circle, 'a group cannot contain itself')
      await contains(shows, user, outer, {
        direct: [two],
        others: [one],
        none: [],
        subgroups: [[inner], [administrators]],
      })
      await user.must('update-user-group-members', { user_group_id: inner, delete: [one.userId], add: [user.userId] })
      await contains(shows, one, outer, {
        direct: [two],
        others: [user],
        none: [one],
        subgroups: [[inner], [administrators]],
      })
      await user.must('update-user-group-subgroups', { user_group_id: outer, delete: [inner] })
      await told(shows, queue, 'remove_subgroups', outer, inner)
      await contains(shows, one, outer, { direct: [two], others: [], none: [one, user], subgroups: [[], []] })
      const nobody = await user.call('get-user-group-members', { user_group_id: 2_000_000_000 })
      refuses(shows, nobody, 'there is no such group')
    },
  ),
]

const settings = [
  ...(['can_add_members_group', 'can_join_group', 'can_leave_group'] as const),
  ...(['can_mention_group', 'can_remove_members_group', 'can_manage_group'] as const),
]

function made(t: CheckContext, creator: Account, values: Values = {}): Promise<number> {
  return newUserGroup(creator, { ...describedGroup(t), members: [], ...values })
}

function isOf(event: Event, id: number): boolean {
  return event.group_id === id || event.group?.id === id
}

/** Makes one change, and compares event and state with the expected value. */
function changer(shows: Shows, manager: Account, reader: Account, queue: EventQueue, id: number) {
  return async (values: Values, wanted: unknown): Promise<void> => {
    const [key = ''] = Object.keys(values)
    await manager.must('update-user-group', { user_group_id: id, ...values })
    const { event, exchange, lacked } = await queue.until({ type: 'user_group', op: 'update', group_id: id })
    const says = `\`${key}\` is ${JSON.stringify(wanted)}`
    shows(exchange, canonical(event?.data?.[key]) === canonical(wanted), `the event says that ${says}; but ${lacked}`)
    const { exchange: listing, group } = await listed(reader, id)
    shows(listing, canonical(group?.[key]) === canonical(wanted), says)
  }
}

/** Checks that each list that a client may request has the group, deactivated or active again. */
async function isListed(shows: Shows, reader: Account, id: number, isDeactivated: boolean): Promise<void> {
  const find = (list: Json): Json => listOf(list).find((group) => group.id === id)
  const holds = (exchange: Exchange, group: Json, isKnown: boolean): void => {
    const isHidden = isDeactivated && !isKnown
    const isRight = isHidden ? group === undefined : group?.deactivated === isDeactivated
    const says = isHidden ? `no group ${id}, which is deactivated` : `group ${id}: deactivated ${isDeactivated}`
    shows(exchange, isRight, says)
  }
  for (const isKnown of [true, false]) {
    const { exchange, group } = await listed(reader, id, isKnown ? knowing : unknowing)
    holds(exchange, group, isKnown)
    const lists = [
      isKnown ? { include_deactivated_groups: true } : {},
      ...(isKnown ? [{ allow_deactivated: true }] : []),
    ]
    for (const values of lists) {
      const listing = await reader.must('get-user-groups', values)
      holds(listing, find(listing.body.user_groups), isKnown)
    }
  }
}

async function told(shows: Shows, queue: EventQueue, op: string, id: number, subgroup: number): Promise<void> {
  const { event, exchange, lacked } = await queue.until({ type: 'user_group', op, group_id: id })
  const says = `\`${op}\` of group ${id} with ${subgroup}; but ${lacked || JSON.stringify(event)}`
  shows(exchange, isSetOf(event?.direct_subgroup_ids, [subgroup]), says)
}

interface Contents {
  readonly direct: readonly Account[]
  /** Members through subgroups, as far as the check knows them. */
  readonly others: readonly Account[]
  readonly none: readonly Account[]
  /** Direct subgroups, and groups inside them. */
  readonly subgroups: readonly [readonly number[], readonly number[]]
}

/** Checks every answer about the members of a group. */
async function contains(shows: Shows, reader: Account, id: number, { direct, others, none, subgroups }: Contents) {
  const group = { user_group_id: id }
  const idsOf = (people: readonly Account[]): number[] => people.map(({ userId }) => userId)
  const [directIds, otherIds, noneIds] = [idsOf(direct), idsOf(others), idsOf(none)]
  const only = await reader.must('get-user-group-members', { ...group, direct_member_only: true })
  shows(only, isSetOf(only.body.members, directIds), `\`members\` are ${directIds.join()}: the direct ones`)
  const all = await reader.must('get-user-group-members', group)
  const found = listOf(all.body.members)
  const isRight =
    [...directIds, ...otherIds].every((one) => found.includes(one)) && !noneIds.some((one) => found.includes(one))
  shows(all, isRight, `\`members\` with ${[...directIds, ...otherIds]} and without ${noneIds}`)
  for (const userId of [...directIds, ...otherIds, ...noneIds]) {
    for (const isDirect of [true, false]) {
      const values = { ...group, user_id: userId, ...(isDirect && { direct_member_only: true }) }
      const asked = await reader.must('get-is-user-group-member', values)
      const wanted = directIds.includes(userId) || (!isDirect && otherIds.includes(userId))
      shows(asked, asked.body.is_user_group_member === wanted, `\`is_user_group_member\` is ${wanted}`)
    }
  }
  const [own, deeper] = subgroups
  const outer = await reader.must('get-user-group-subgroups', { ...group, direct_subgroup_only: true })
  shows(outer, isSetOf(outer.body.subgroups, own), `\`subgroups\` are ${own.join() || 'none'}: the direct ones`)
  const whole = await reader.must('get-user-group-subgroups', group)
  const isWhole = [...own, ...deeper].every((one) => listOf(whole.body.subgroups).includes(one))
  const isNone = own.length > 0 || listOf(whole.body.subgroups).length === 0
  shows(whole, isWhole && isNone, `\`subgroups\` with ${[...own, ...deeper].join() || 'nothing'}`)
}
