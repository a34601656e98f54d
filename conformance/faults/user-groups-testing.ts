import type { SeededFault } from '../testing.ts'
import type { Json } from '../wire/values.ts'
import { ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const creation = ['POST', '/user_groups/create'] as const
const changing = ['POST', /^\/user_groups\/\d+\/members$/] as const
const groupSettings = ['add_members', 'join', 'leave', 'manage', 'mention', 'remove_members']

const memberFaults: readonly SeededFault[] = [
  ...groupSettings.map((name) =>
    misread('create-user-group', `can_${name}_group passed over`, creation, without(`can_${name}_group`)),
  ),
  misread('create-user-group', 'subgroups passed over', creation, without('subgroups')),
  misread(
    'create-user-group',
    'first members passed over',
    creation,
    changedJson('members', () => []),
  ),
  misread('create-user-group', 'descriptions in capitals', creation, (parameters) => {
    parameters.set('description', (parameters.get('description') ?? '').toUpperCase())
  }),
  misanswered(
    'create-user-group',
    'groups that nobody has made',
    ofEvent('user_group', ({ group }) => {
      if (group) group.creator_id = null
    }),
  ),
  ...['add', 'delete', 'add_subgroups', 'delete_subgroups'].map((name) =>
    misread(
      'update-user-group-members',
      `one too few of ${name}`,
      changing,
      changedJson(name, (ids: number[]) => ids.slice(1)),
    ),
  ),
  misanswered(
    'update-user-group-members',
    'members told as leaving who come',
    ofEvent('user_group', (event) => {
      if (event.op === 'add_members') event.op = 'remove_members'
    }),
  ),
  misanswered(
    'update-user-group-members',
    'groups listed without subgroups',
    ofSuccess('POST', '/register', ({ realm_user_groups: groups = [] }) => {
      for (const group of groups) group.direct_subgroup_ids = []
    }),
  ),
  misread(
    'update-user-group-members/all-or-none',
    'what can be done is done',
    changing,
    changedJson('delete', (ids: number[]) => ids.slice(0, 1)),
  ),
]

const one = /^\/user_groups\/\d+$/
const patch = ['PATCH', one] as const
const path = (rest: string): RegExp => new RegExp(`^/user_groups/\\d+/${rest}$`)
const [membersPath, memberPath, subgroupsPath] = [path('members'), path('members/\\d+'), path('subgroups')]
/** A group of the system. */
const members = 6
const changed = 'update-user-group'
const deactivated = 'deactivate-user-group'
const nested = 'get-user-group-members'

const changeFaults: readonly SeededFault[] = [
  ...['name', 'description', ...groupSettings.map((name) => `can_${name}_group`)].map((name) =>
    misread(changed, `${name} passed over`, patch, (parameters) => {
      // A group in use is in use again: a request that changes nothing.
      if (parameters.has(name)) parameters.set('deactivated', 'false')
      parameters.delete(name)
    }),
  ),
  ...groupSettings.map((name) =>
    misread(
      changed,
      `expectations of can_${name}_group passed over`,
      patch,
      changedJson(`can_${name}_group`, (update: { new: unknown }) => ({ new: update.new })),
    ),
  ),
  misanswered(
    changed,
    'names told as they were',
    ofEvent('user_group', ({ data }) => {
      if (data?.name !== undefined) data.name = 'As it was'
    }),
  ),
  misanswered(
    changed,
    'changes that are not told',
    ofEventList((events) => events.filter(({ op }) => op !== 'update')),
  ),
  misanswered(
    changed,
    'registrations that do not know of changes',
    ofSuccess('POST', '/register', ({ realm_user_groups: groups = [] }) => {
      for (const group of groups) group.description = 'As it was'
    }),
  ),
  misanswered(
    `${changed}/refused`,
    'a refusal that is none',
    (answer, { method, path: here }) => {
      if (method === 'PATCH' && one.test(here))
        Object.assign(answer, { status: 200, body: { result: 'success', msg: '' } })
    },
    true,
  ),
  misread(deactivated, 'groups out of use stay so', patch, (parameters) => {
    if (parameters.has('deactivated')) parameters.set('description', '')
    parameters.delete('deactivated')
  }),
  misread(deactivated, 'older clients taken for modern ones', ['POST', '/register'], (parameters) => {
    parameters.set('client_capabilities', '{"notification_settings_null":true,"include_deactivated_groups":true}')
  }),
  misread(deactivated, 'modern clients taken for older ones', ['POST', '/register'], (parameters) => {
    parameters.set('client_capabilities', '{"notification_settings_null":true}')
  }),
  ...['include_deactivated_groups', 'allow_deactivated'].map((name) =>
    misread(deactivated, `${name} passed over`, ['GET', '/user_groups'], without(name)),
  ),
  misread(deactivated, 'groups out of use listed for everybody', ['GET', '/user_groups'], (parameters) => {
    parameters.set('include_deactivated_groups', 'true')
  }),
  misanswered(
    deactivated,
    'groups that come back without their members',
    ofEvent('user_group', ({ group }) => {
      if (group) group.members = []
    }),
  ),
  misanswered(`${deactivated}/in-use`, 'refusals that say nothing of what is in the way', (answer) => {
    if (answer.body?.objections) answer.body.objections = []
  }),
  misanswered(
    'get-user-groups',
    'groups listed with other settings',
    ofSuccess('GET', '/user_groups', ({ user_groups: groups }) => {
      for (const group of groups) group.can_join_group = 2
    }),
  ),
  misanswered(
    'get-user-groups',
    'groups of the system left out',
    ofSuccess('GET', '/user_groups', (body) => {
      body.user_groups = body.user_groups.filter((group: Json) => !group.is_system_group)
    }),
  ),
]

const insideFaults: readonly SeededFault[] = [
  misread(nested, 'all members instead of direct ones', ['GET', membersPath], without('direct_member_only')),
  misread(nested, 'direct members instead of all', ['GET', membersPath], (parameters) => {
    parameters.set('direct_member_only', 'true')
  }),
  misread(nested, 'all memberships instead of direct ones', ['GET', memberPath], without('direct_member_only')),
  misread(nested, 'direct memberships instead of all', ['GET', memberPath], (parameters) => {
    parameters.set('direct_member_only', 'true')
  }),
  misread(nested, 'all subgroups instead of direct ones', ['GET', subgroupsPath], without('direct_subgroup_only')),
  misread(nested, 'direct subgroups instead of all', ['GET', subgroupsPath], (parameters) => {
    parameters.set('direct_subgroup_only', 'true')
  }),
  misread(
    nested,
    'another group than the one to add',
    ['POST', subgroupsPath],
    changedJson('add', () => [members]),
  ),
  misread(nested, 'groups that are to go stay', ['POST', subgroupsPath], (parameters) => {
    if (parameters.has('delete')) parameters.set('add', `[${members}]`)
    parameters.delete('delete')
  }),
  misanswered(nested, 'former members listed', (answer, { path: here }) => {
    if (memberPath.test(here) && answer.body) answer.body.is_user_group_member = true
  }),
]

export const faults: readonly SeededFault[] = [...memberFaults, ...changeFaults, ...insideFaults]
