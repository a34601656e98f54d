import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { EVERYONE, groupTools, MEMBERS, NO_ID, NOBODY, said } from './groups-testing.ts'

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
      [member, { name: ' ' }, "User group name can't be empty!"],
      [member, { name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
      ...['@', 'role:', 'user:', 'stream:', 'channel:'].map(
        (prefix) => [member, { name: `${prefix}x` }, `User group name cannot start with '${prefix}'.`] as const,
      ),
      [member, { name: taken }, `User group '${taken}' already exists.`],
      [member, { members: [NO_ID] }, `Invalid user ID: ${NO_ID}`],
      [member, { subgroups: [NO_ID] }, `Invalid user group ID: ${NO_ID}`],
      [member, { can_manage_group: NO_ID }, 'Invalid user group'],
      [member, { can_manage_group: EVERYONE }, "'can_manage_group' setting cannot be set to 'role:everyone' group."],
    ] as const) {
      assert.equal(await said(create(who, parameters)), msg, JSON.stringify(parameters))
    }
    assert.deepEqual(await heard(), [])
  })

  test('members are changed all or none, each with its reason', async () => {
    const server = await parley()
    const [creator, one, other] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const id = await make(creator, { members: [one.userId] })
    const inner = await make(creator)
    const heard = await listen(server.as('member2'))
    const manager = server.as('owner')
    assert.equal(await said(change(creator, id, { add: [other.userId], delete: [] })), 'success')
    await heard()
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
    assert.equal(await said(change(manager, MEMBERS, { add: [one.userId] })), 'Insufficient permission')
    assert.equal(await said(change(manager, NO_ID, { add: [one.userId] })), 'Invalid user group')
    assert.deepEqual((await listed(manager, id)).members, [one.userId, other.userId])
    assert.deepEqual(await heard(), [])
    await manager.must('DELETE', `/users/${one.userId}`)
    assert.equal(await said(change(manager, id, { add: [one.userId] })), `Invalid user ID: ${one.userId}`)
  })

  test('a group within itself, through however many others, is refused', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await make(owner, { subgroups: ids.slice(-1) }))
    const [first = 0, ...outer] = ids
    for (const id of [first, ...outer]) {
      const msg = `User group ${first} is already a subgroup of one of the passed subgroups.`
      assert.equal(await said(change(owner, first, { add_subgroups: [id] })), msg)
    }
    const [one, other] = [await make(owner), await make(owner)]
    const outcomes = await Promise.all([
      said(change(owner, one, { add_subgroups: [other] })),
      said(change(owner, other, { add_subgroups: [one] })),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => outcome === 'success').toSorted(),
      [false, true],
      'of two that would close a circle together only the first succeeds',
    )
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
