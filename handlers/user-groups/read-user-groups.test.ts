import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { groupTools, MEMBERS, NO_ID, said } from './groups-testing.ts'

const [_FULL_MEMBERS, _ADMINISTRATORS, _OWNERS] = [5, 3, 2]

onEachDatabase('reading user groups', (dialect) => {
  const parley = sharedParley(dialect)
  const { listed, make, change } = groupTools(parley)
  const members = async (user: ApiClient, id: number, direct_member_only?: boolean): Promise<number[]> =>
    (await user.must('GET', `/user_groups/${id}/members`, { direct_member_only })).members
  const subgroups = async (user: ApiClient, id: number, direct_subgroup_only?: boolean): Promise<number[]> =>
    (await user.must('GET', `/user_groups/${id}/subgroups`, { direct_subgroup_only })).subgroups
  const isMember = async (user: ApiClient, id: number, userId: number, direct_member_only?: boolean) =>
    (await user.must('GET', `/user_groups/${id}/members/${userId}`, { direct_member_only })).is_user_group_member

  test('members are those who are active, each once, also of a group out of use', async () => {
    const server = await parley()
    const [owner, bot] = [server.as('owner'), server.as('bot')]
    const [one, two, three] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const sorted = (...users: ApiClient[]) => users.map(({ userId }) => userId).toSorted((a, b) => a - b)
    const inner = await make(owner, { members: [one.userId] })
    const middle = await make(owner, { members: [one.userId, two.userId], subgroups: [inner] })
    const outer = await make(owner, { members: [three.userId], subgroups: [inner, middle] })
    assert.deepEqual(await members(bot, outer), sorted(one, two, three))
    assert.deepEqual(await subgroups(bot, outer), [inner, middle])
    await owner.must('DELETE', `/users/${one.userId}`)
    assert.equal(await isMember(bot, outer, one.userId), false)
    assert.deepEqual(await members(bot, inner), [])
    await owner.must('POST', `/user_groups/${outer}/deactivate`)
    assert.deepEqual(await members(bot, outer), sorted(two, three))
    assert.equal(await isMember(bot, outer, two.userId), true)
  })

  test('refuse groups and people that do not exist', async () => {
    const owner = (await parley()).as('owner')
    const id = await make(owner)
    for (const path of ['members', `members/${owner.userId}`, 'subgroups']) {
      for (const none of [NO_ID, 0, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await said(owner.get(`/user_groups/${none}/${path}`)), 'Invalid user group')
      }
    }
    assert.equal(await said(owner.get(`/user_groups/${id}/members/${NO_ID}`)), 'No such user')
  })

  test('subgroups come and go by an operation of their own', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [outer, inner] = [await make(owner), await make(owner)]
    const subgroupsOf = (user: ApiClient, id: number, parameters: object) =>
      said(user.post(`/user_groups/${id}/subgroups`, parameters as Record<string, unknown>))
    for (const [user, id, parameters, outcome] of [
      [owner, outer, {}, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [owner, outer, { delete: [inner] }, `User group ${inner} is not a subgroup of this group.`],
      [owner, MEMBERS, { add: [inner] }, 'Insufficient permission'],
      [owner, NO_ID, { add: [inner] }, 'Invalid user group'],
      [owner, outer, { add: [NO_ID] }, `Invalid user group ID: ${NO_ID}`],
      [owner, outer, { add: [inner, MEMBERS] }, 'success'],
      [owner, outer, { add: [inner] }, `User group ${inner} is already a subgroup of this group.`],
      [owner, inner, { add: [outer] }, `User group ${inner} is already a subgroup of one of the passed subgroups.`],
      [owner, outer, { delete: [inner] }, 'success'],
    ] as const) {
      assert.equal(await subgroupsOf(user, id, parameters), outcome, JSON.stringify(parameters))
    }
    assert.deepEqual((await listed(owner, outer)).direct_subgroup_ids, [MEMBERS])
    assert.equal(await said(change(owner, outer, { delete_subgroups: [MEMBERS] })), 'success')
  })
})
