import { newBot } from '../../acts/bots.ts'
import { newUserGroup } from '../../acts/user-groups.ts'
import { type Account, personRoles, type Values } from '../../deployment/account.ts'
import type { WrittenCheck } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { anybody, peopleOfRoles } from '../../kernel/people-of-roles.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isRefused, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'

const [nobody, administrators, moderators] = [1, 3, 4]

export const checks: readonly WrittenCheck[] = [
  effect(
    'create-user-group',
    'a new group has the requested properties, for everybody',
    async (t, shows, { user, other }) => {
      const queue = await listen(await anybody(t), ['user_group'])
      const named = { direct_members: [other.userId], direct_subgroups: [moderators] }
      const both = { direct_members: [], direct_subgroups: [administrators, moderators] }
      const settings: Values = {
        can_add_members_group: named,
        can_join_group: moderators,
        can_leave_group: nobody,
        can_manage_group: moderators,
        can_mention_group: both,
        can_remove_members_group: moderators,
      }
      for (const wanted of [{ subgroups: [moderators], ...settings }, {}]) {
        const values = { ...describedGroup(t), members: [other.userId], ...wanted }
        const made = await user.must('create-user-group', values)
        const id = made.body.group_id ?? t.leaveOut('before level 317 the creator of a group is not told its ID')
        const { event, exchange, lacked } = await queue.until((one) => one.op === 'add' && one.group?.id === id)
        shows(exchange, event !== undefined, `an event about the group for others than its creator; but ${lacked}`)
        isAs(shows, exchange, event?.group, values, user)
        const { exchange: listing, group } = await listed(other, id)
        isAs(shows, listing, group, values, user)
        refuses(shows, await user.call('create-user-group', values), 'there is a group of this name')
      }
      const strange = await user.call('create-user-group', { ...describedGroup(t), name: '@conformance', members: [] })
      refuses(shows, strange, 'no name begins with @')
    },
  ),
  effect(
    'update-user-group-members',
    'people and groups are added to a group and removed, and everybody is told',
    async (t, shows, { user, other }) => {
      const make = (): Promise<number> =>
        newUserGroup(user, { ...describedGroup(t), members: [], can_remove_members_group: members })
      const id = await make()
      const inner = [await make(), await make()]
      const people = [user.userId, other.userId]
      const queue = await listen(await anybody(t), ['user_group'])
      for (const [asked, op, field, ids, left] of [
        [{ add: people }, 'add_members', 'user_ids', people, people],
        [{ delete: people }, 'remove_members', 'user_ids', people, []],
        [{ add_subgroups: inner }, 'add_subgroups', 'direct_subgroup_ids', inner, inner],
        [{ delete_subgroups: inner }, 'remove_subgroups', 'direct_subgroup_ids', inner, []],
      ] as const) {
        await user.must('update-user-group-members', { user_group_id: id, ...asked } as Values)
        const { event, exchange, lacked } = await queue.until((one) => one.op === op && one.group_id === id)
        const says = `\`${op}\` of group ${id} with ${field} ${ids.join()}; but ${lacked || JSON.stringify(event)}`
        shows(exchange, isSetOf(event?.[field], ids), says)
        const { exchange: listing, group } = await listed(other, id)
        const has = field === 'user_ids' ? group?.members : group?.direct_subgroup_ids
        shows(listing, isSetOf(has, left), `group ${id} has ${left.join() || 'none'}`)
        const again = await user.call('update-user-group-members', { user_group_id: id, ...asked } as Values)
        refuses(shows, again, `${op} of ${ids.join()} has been done`)
      }
      const own = await user.call('update-user-group-members', { user_group_id: id, add_subgroups: [id] })
      refuses(shows, own, 'a group cannot contain itself')
      const stranger = await other.call('update-user-group-members', { user_group_id: id, add: [user.userId] })
      refuses(shows, stranger, 'others do not manage the group')
      if (t.level < 308) return // groups do not say yet who may join and leave them
      const values = { ...describedGroup(t), members: [user.userId], can_join_group: members }
      const user_group_id = await newUserGroup(user, values)
      const change = (asked: Values) => other.call('update-user-group-members', { user_group_id, ...asked })
      refuses(
        shows,
        await change({ add: [(await t.user()).userId] }),
        'somebody who may only join a group cannot add others',
      )
      succeeds(shows, await change({ add: [other.userId] }), 'everybody may join the group')
      for (const taken of [[user.userId], [other.userId, user.userId]])
        refuses(shows, await change({ delete: taken }), 'somebody who may only leave a group cannot remove others')
      succeeds(shows, await change({ delete: [other.userId] }), 'everybody may leave the group')
    },
  ),
  effectNamed(
    'effects/update-user-group-members/all-or-none',
    'if a part of a request is refused, nothing changes',
    async (t, shows, { user, other }) => {
      const values = { ...describedGroup(t), members: [user.userId], can_remove_members_group: members }
      const id = await newUserGroup(user, values)
      const both = { user_group_id: id, add: [other.userId], delete: [user.userId, other.userId] }
      refuses(shows, await user.call('update-user-group-members', both), 'the person to be removed is not a member')
      const { exchange, group } = await listed(other, id)
      shows(exchange, isSetOf(group?.members, [user.userId]), `group ${id} has its first member alone`)
    },
    'create-user-group',
  ),
  effectNamed(
    'effects/get-is-user-group-member/roles',
    'users are in the system groups of their role and of those below it, with the permissions of these',
    async (t, shows, { user }) => {
      const groups = listOf((await user.must('get-user-groups')).body.user_groups)
      const people = await peopleOfRoles(t)
      for (const [least, name] of ['everyone', 'members', 'moderators', 'administrators', 'owners'].entries()) {
        const group = groups.find((one) => one.name === `role:${name}`)
        if (group === undefined) continue
        const wishes = t.level < 333 ? {} : { can_send_message_group: group.id }
        const channel = await t.channel(user, [...people.values()], false, wishes)
        for (const [role, person] of people) {
          const values = { user_group_id: group.id, user_id: person.userId }
          const asked = await user.must('get-is-user-group-member', values)
          const isIn = personRoles.indexOf(role) >= least
          const who = `user ${person.userId} is ${role}, and the group role:${name}`
          shows(asked, asked.body.is_user_group_member === isIn, `\`is_user_group_member\` is ${isIn}: ${who}`)
          if (t.level < 333) continue
          const sent = await person.call('send-message', { type: 'stream', to: channel.id, topic: 'x', content: 'x' })
          shows(sent, isRefused(sent) !== isIn, `${isIn ? 'success' : 'a refusal'}, where the group sends: ${who}`)
        }
      }
    },
  ),
  {
    id: 'effects/create-user-group/deactivated',
    title: 'a deactivated user is in no group except system groups',
    requirements: ['STATE-USER-2'],
    async run(t) {
      const { user } = await t.scene()
      const [first, second, boss] = [await t.newUser(), await t.newUser(), t.person('administrator')]
      const bots = t.deployment.isAsked('create-bot') ? [await newBot(t, second), await newBot(t, user)] : []
      const people = [user, first, second].map(({ userId }) => userId)
      const all = [...people, ...bots]
      const named = { can_mention_group: { direct_members: all, direct_subgroups: [] } }
      const values = { members: all, ...(t.level >= 303 && named) }
      const groups = [
        await newUserGroup(user, { ...describedGroup(t), ...values }),
        await newUserGroup(user, { ...describedGroup(t), ...values }),
      ]
      const queue = await listen(user, ['user_group'])
      let left = all
      // Bots are deactivated with their owner, or alone.
      const [alone, withOwner] = [bots.slice(1), bots.slice(0, 1)]
      for (const gone of [[first.userId], [second.userId, ...withOwner], alone].filter(({ length }) => length > 0)) {
        if (gone === alone) await boss.must('deactivate-bot', { bot_id: gone[0] })
        else await boss.must('deactivate-user', { user_id_or_email: gone[0] })
        left = left.filter((one) => !gone.includes(one))
        const untold = new Set(groups.flatMap((id) => gone.map((one) => `${one} in ${id}`)))
        const list = await user.must('get-user-groups')
        for (const id of groups) {
          const { exchange, group } = await listed(user, id)
          const says = `group ${id} has the members ${left}: users ${gone} are deactivated`
          t.that('STATE-USER-2', exchange, isSetOf(group?.members, left), says)
          const inList = listOf(list.body.user_groups).find((one) => one.id === id)
          t.that('STATE-USER-2', list, isSetOf(inList?.members, left), says)
          if (t.level < 303) continue
          const names = `\`can_mention_group\` of group ${id} names ${left}`
          t.that('STATE-USER-2', exchange, isSetOf(group?.can_mention_group?.direct_members, left), names)
        }
        const told = await queue.until(({ op, group_id, user_ids }) => {
          if (op === 'remove_members') for (const one of listOf(user_ids)) untold.delete(`${one} in ${group_id}`)
          return untold.size === 0
        })
        const event = `\`remove_members\` of the users ${gone} in the groups ${groups}; but there is none of ${[...untold]}`
        if (!t.that('STATE-USER-2', told.exchange, told.event !== undefined, event)) return
      }
    },
  },
]

const members = 6

export function describedGroup(t: CheckContext): { readonly name: string; readonly description: string } {
  return { name: t.unique('Conformance group').slice(-90), description: t.unique('made for') }
}

/** The group in the answer of POST /register. */
export async function listed(
  reader: Account,
  id: number,
  client_capabilities: Values = { notification_settings_null: true },
): Promise<{ exchange: Exchange; group: Json }> {
  const values = { event_types: [], fetch_event_types: ['realm_user_groups'], client_capabilities }
  const exchange = await reader.must('register-queue', values)
  return { exchange, group: listOf(exchange.body.realm_user_groups).find((one: Json) => one.id === id) }
}

/** Checks that the group is what its creator requested. */
function isAs(shows: Shows, exchange: Exchange, group: Json, wanted: Values, creator: Account): void {
  const own = { direct_members: [creator.userId], direct_subgroups: [] }
  const whole: Values = {
    subgroups: [],
    can_add_members_group: own,
    can_manage_group: own,
    can_join_group: nobody,
    can_leave_group: 7,
    can_mention_group: 7,
    can_remove_members_group: nobody,
    ...wanted,
  }
  const odd = Object.entries(whole).filter(([name, value]) => {
    return canonical(group?.[name === 'subgroups' ? 'direct_subgroup_ids' : name]) !== canonical(value)
  })
  shows(exchange, odd.length === 0, `a group with ${odd.map(([name, value]) => `${name} ${JSON.stringify(value)}`)}`)
  const rights = group?.creator_id === creator.userId && group?.is_system_group === false && !group?.deactivated
  shows(exchange, rights, `a group in use that user ${creator.userId} has made`)
}
