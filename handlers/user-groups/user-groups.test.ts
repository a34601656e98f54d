import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { EVERYONE, groupTools, MEMBERS, MODERATORS, NO_ID, NOBODY, said } from './groups-testing.ts'

onEachDatabase('user groups', (dialect) => {
  const parley = sharedParley(dialect)
  const { listen, listed, create, make, change, patch } = groupTools(parley)

  test('refuse who may not create, and what no group can be', async () => {
    const server = await parley()
    const [owner, member] = [server.as('owner'), server.as('member')]
    const heard = await listen(owner)
    const taken = server.unique('Taken')
    await make(member, { name: taken })
    await heard()
    for (const [who, parameters, msg] of [
      [server.as('guest'), {}, 'Not allowed for guest users'],
      [server.as('bot'), {}, 'This endpoint does not accept bot requests.'],
      [member, { name: ' ' }, "User group name can't be empty!"],
      [member, { name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
      ...['@', 'role:', 'user:', 'stream:', 'channel:'].map(
        (prefix) => [member, { name: `${prefix}x` }, `User group name cannot start with '${prefix}'.`] as const,
      ),
      [member, { name: taken }, `User group '${taken}' already exists.`],
      [member, { description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
      [member, { members: undefined }, "Missing 'members' argument"],
      [member, { members: [NO_ID] }, `Invalid user ID: ${NO_ID}`],
      [member, { subgroups: [NO_ID] }, `Invalid user group ID: ${NO_ID}`],
      [member, { can_manage_group: NO_ID }, 'Invalid user group'],
      [member, { can_manage_group: EVERYONE }, "'can_manage_group' setting cannot be set to 'role:everyone' group."],
    ] as const) {
      assert.equal(await said(create(who, parameters)), msg, JSON.stringify(parameters))
    }
    assert.deepEqual(await heard(), [])
  })

  test('members come and go, told in order, and all or none', async () => {
    const server = await parley()
    const [creator, one, other] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const id = await make(creator, { members: [one.userId] })
    const inner = await make(creator)
    const heard = await listen(server.as('member2'))
    const manager = server.as('owner')
    assert.equal(await said(change(creator, id, { add: [other.userId], delete: [] })), 'success')
    assert.equal(await said(change(manager, id, { delete: [one.userId], add_subgroups: [inner] })), 'success')
    assert.equal(await said(change(manager, id, { delete_subgroups: [inner], add: [one.userId] })), 'success')
    const of = (op: string, ids: object) => ({ op, group_id: id, ...ids })
    assert.deepEqual(await heard(), [
      of('add_members', { user_ids: [other.userId] }),
      of('remove_members', { user_ids: [one.userId] }),
      of('add_subgroups', { direct_subgroup_ids: [inner] }),
      of('add_members', { user_ids: [one.userId] }),
      of('remove_subgroups', { direct_subgroup_ids: [inner] }),
    ])
    for (const [parameters, msg] of [
      [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [one.userId], delete: [other.userId] }, `User ${one.userId} is already a member of this group`],
      [{ delete: [creator.userId, other.userId] }, `There is no member '${creator.userId}' in this user group`],
      [{ add: [NO_ID] }, `Invalid user ID: ${NO_ID}`],
      [{ add_subgroups: [NO_ID] }, `Invalid user group ID: ${NO_ID}`],
      [{ delete_subgroups: [inner] }, `User group ${inner} is not a subgroup of this group.`],
      [{ add_subgroups: [id] }, `User group ${id} is already a subgroup of one of the passed subgroups.`],
    ] as const) {
      assert.equal(await said(change(manager, id, parameters)), msg, JSON.stringify(parameters))
    }
    assert.deepEqual((await listed(manager, id)).members, [one.userId, other.userId])
    assert.deepEqual(await heard(), [])
    await manager.must('DELETE', `/users/${one.userId}`)
    assert.equal(await said(change(manager, id, { add: [one.userId] })), `Invalid user ID: ${one.userId}`)
  })

  test('only who manages a group, or is named by its settings, changes its members', async () => {
    const server = await parley()
    const [creator, user, guest] = [await server.newUser(), await server.newUser(), server.as('guest')]
    const refused = 'Insufficient permission'
    const closed = await make(creator, { members: [user.userId], can_leave_group: NOBODY })
    const open = await make(creator, { can_join_group: MEMBERS })
    const shared = await make(creator, {
      can_add_members_group: MODERATORS,
      can_remove_members_group: { direct_members: [user.userId], direct_subgroups: [] },
    })
    for (const [who, id, parameters, outcome] of [
      [user, closed, { delete: [user.userId] }, refused],
      [user, open, { add: [user.userId] }, 'success'],
      [user, open, { add: [creator.userId] }, refused],
      [user, open, { delete: [user.userId] }, 'success'],
      [user, open, { add_subgroups: [closed] }, refused],
      [server.as('moderator'), shared, { add: [user.userId] }, 'success'],
      [server.as('moderator'), shared, { add_subgroups: [closed] }, 'success'],
      [server.as('moderator'), shared, { delete: [user.userId] }, refused],
      [user, shared, { delete: [user.userId], delete_subgroups: [closed] }, 'success'],
      [user, shared, { add: [user.userId], delete: [] }, refused],
      [server.as('admin'), closed, { delete: [user.userId] }, refused],
      [server.as('owner'), closed, { delete: [user.userId] }, 'success'],
      [server.as('owner'), MEMBERS, { add: [user.userId] }, refused],
      [server.as('owner'), NO_ID, { add: [user.userId] }, 'Invalid user group'],
      [guest, open, { add: [guest.userId] }, 'Not allowed for guest users'],
      [server.as('bot'), open, { add: [user.userId] }, 'This endpoint does not accept bot requests.'],
    ] as const) {
      assert.equal(await said(change(who, id, parameters)), outcome, JSON.stringify([id, parameters]))
    }
  })

  test('of two groups that would be in each other, one is', async () => {
    const owner = (await parley()).as('owner')
    const [one, other] = [await make(owner), await make(owner)]
    const outcomes = await Promise.all([
      said(change(owner, one, { add_subgroups: [other] })),
      said(change(owner, other, { add_subgroups: [one] })),
    ])
    assert.equal(outcomes.filter((outcome) => outcome === 'success').length, 1, outcomes.join(' / '))
  })

  test('whoever is deactivated is named by no group any more (STATE-USER-2, SEC-WRITE-4)', async () => {
    const server = await parley()
    const [owner, user, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const id = await make(user, {
      members: [user.userId, other.userId],
      can_mention_group: { direct_members: [user.userId, other.userId], direct_subgroups: [] },
    })
    const heard = await listen(other)
    await owner.must('DELETE', `/users/${user.userId}`)
    const told = (await heard()).filter(({ group_id }: { group_id: number }) => group_id === id)
    const changes = {
      can_add_members_group: NOBODY,
      can_manage_group: NOBODY,
      can_mention_group: { direct_members: [other.userId], direct_subgroups: [] },
    }
    assert.deepEqual(told, [
      { op: 'remove_members', group_id: id, user_ids: [user.userId] },
      ...Object.entries(changes).map(([name, value]) => ({ op: 'update', group_id: id, data: { [name]: value } })),
    ])
    await owner.must('POST', `/users/${user.userId}/reactivate`)
    const { members, can_add_members_group, can_manage_group, can_mention_group } = await listed(other, id)
    assert.deepEqual(members, [other.userId])
    assert.deepEqual({ can_add_members_group, can_manage_group, can_mention_group }, changes)
    await heard()
    const same = { direct_members: [], direct_subgroups: [NOBODY] }
    await patch(owner, id, { can_manage_group: { new: same }, can_mention_group: { new: changes.can_mention_group } })
    assert.deepEqual(await heard(), [], 'what means the same is no change')
    assert.equal(await said(change(user, id, { add: [user.userId] })), 'Insufficient permission')
  })
})
