import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { EVERYONE, groupTools, NO_ID, said } from './groups-testing.ts'

onEachDatabase('user groups', (dialect) => {
  const parley = sharedParley(dialect)
  const { listen, listed, create, make, change } = groupTools(parley)

  test('refuse invalid groups', async () => {
    const server = await parley()
    const [owner, member] = [server.as('owner'), server.as('member')]
    const heard = await listen(owner)
    const taken = server.unique('Taken')
    await make(member, { name: taken })
    await heard()
    for (const [parameters, msg] of [
      [{ name: ' ' }, "User group name can't be empty!"],
      [{ name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
      ...['@', 'role:', 'user:', 'stream:', 'channel:'].map(
        (prefix) => [{ name: `${prefix}x` }, `User group name cannot start with '${prefix}'.`] as const,
      ),
      [{ name: taken }, `User group '${taken}' already exists.`],
      [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
      [{ members: [NO_ID] }, `Invalid user ID: ${NO_ID}`],
      [{ subgroups: [NO_ID] }, `Invalid user group ID: ${NO_ID}`],
      [{ can_manage_group: NO_ID }, 'Invalid user group'],
      [{ can_manage_group: EVERYONE }, "'can_manage_group' setting cannot be set to 'role:everyone' group."],
    ] as const) {
      assert.equal(await said(create(member, parameters)), msg, JSON.stringify(parameters))
    }
    assert.deepEqual(await heard(), [])
  })

  test('added and removed members are announced in order, all or none', async () => {
    const server = await parley()
    const [creator, one, other] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const id = await make(creator, { members: [one.userId] })
    const inner = await make(creator)
    const heard = await listen(server.as('member2'))
    const manager = server.as('owner')
    await change(creator, id, { add: [other.userId], delete: [] })
    await change(manager, id, { delete: [one.userId], add_subgroups: [inner] })
    await change(manager, id, { delete_subgroups: [inner], add: [one.userId] })
    const ops = (await heard()).map(({ op }) => op)
    assert.deepEqual(ops, ['add_members', 'remove_members', 'add_subgroups', 'add_members', 'remove_subgroups'])
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
})
