import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { EVERYONE, groupTools, KNOWING, MEMBERS, MODERATORS, NO_ID, NOBODY, said } from './groups-testing.ts'

const unnamed = (direct_members: readonly number[], direct_subgroups: readonly number[] = []) => ({
  direct_members,
  direct_subgroups,
})

onEachDatabase('changing user groups', (dialect) => {
  const parley = sharedParley(dialect)
  const { listen, listed, create, make, change, patch, deactivate } = groupTools(parley)

  test('refuse callers who do not manage it, and invalid values, without any change', async () => {
    const server = await parley()
    const [creator, member, owner] = [await server.newUser(), server.as('member'), server.as('owner')]
    const taken = server.unique('Taken')
    const former = await make(creator, { name: taken })
    assert.equal(await said(deactivate(creator, former)), 'success')
    const id = await make(creator, { members: [member.userId], can_add_members_group: MEMBERS })
    const before = await listed(owner, id)
    const heard = await listen(owner)
    for (const [who, group, parameters, msg] of [
      [creator, id, {}, 'No new data supplied'],
      [creator, id, { members: [] }, 'No new data supplied'],
      [member, id, { name: 'x' }, 'Insufficient permission'],
      [server.as('admin'), id, { name: 'x' }, 'Insufficient permission'],
      [owner, NO_ID, { name: '' }, 'Invalid user group'],
      [creator, id, { description: 'x', name: ' ' }, "User group name can't be empty!"],
      [creator, id, { name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
      [creator, id, { name: 'role:x' }, "User group name cannot start with 'role:'."],
      [creator, id, { description: 'x', name: taken }, `User group '${taken}' already exists.`],
      [creator, id, { name: 'x', can_join_group: { new: NO_ID } }, 'Invalid user group'],
      [creator, id, { can_join_group: { new: former } }, 'Invalid user group'],
      [creator, id, { can_join_group: { new: unnamed([NO_ID]) } }, `Invalid user ID: ${NO_ID}`],
      [
        creator,
        id,
        { can_join_group: { new: EVERYONE } },
        "'can_join_group' setting cannot be set to 'role:everyone' group.",
      ],
      [
        creator,
        id,
        { name: 'x', can_join_group: { new: MEMBERS, old: MODERATORS } },
        "'old' value does not match the expected value.",
      ],
      [creator, id, { deactivated: true }, "'deactivated' can only be false: another operation deactivates."],
    ] as const) {
      assert.equal(await said(patch(who, group, parameters)), msg, JSON.stringify(parameters))
    }
    assert.deepEqual(await listed(owner, id), before)
    assert.deepEqual(await heard(), [])
    const refusedValue = await patch(creator, id, { can_join_group: MEMBERS })
    assert.match(refusedValue.body.msg, /can_join_group/)
  })

  test('a setting decides who may mention a group, and a mention reaches its members', async () => {
    const server = await parley()
    const [creator, writer, member] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const inner = await make(creator, { members: [member.userId] })
    const name = server.unique('Crew')
    const id = await make(creator, { name, subgroups: [inner], can_mention_group: unnamed([creator.userId]) })
    const mention = (sign: string) =>
      writer.post('/messages', { type: 'direct', to: [member.userId], content: `${sign}*${name}*` })
    const flagsAfter = async (sign: string): Promise<string[]> => {
      const { body } = await mention(sign)
      return (await member.must('GET', `/messages/${body.id}`)).message.flags
    }
    assert.equal(await said(mention('@')), `You are not allowed to mention user group '${name}'.`)
    assert.ok(!(await flagsAfter('@_')).includes('mentioned'))
    assert.equal(await said(patch(creator, id, { can_mention_group: { new: unnamed([], [MEMBERS]) } })), 'success')
    assert.ok((await flagsAfter('@')).includes('mentioned'))
    assert.equal(await said(change(creator, id, { delete_subgroups: [inner] })), 'success')
    assert.ok(!(await flagsAfter('@')).includes('mentioned'))
    assert.equal(await said(change(creator, id, { add: [member.userId] })), 'success')
    assert.ok((await flagsAfter('@')).includes('mentioned'))
    assert.equal(await said(deactivate(creator, id)), 'success')
    assert.ok(!(await flagsAfter('@')).includes('mentioned'))
  })

  test('a deactivated group cannot be mentioned, keeps its name, and can change', async () => {
    const server = await parley()
    const [creator, user] = [await server.newUser(), await server.newUser()]
    const name = server.unique('Crew')
    const id = await make(creator, { name, members: [user.userId] })
    assert.equal(await said(deactivate(creator, id)), 'success')
    const heard = await listen(user)
    const { rendered } = await user.must('POST', '/messages/render', { content: `@*${name}*` })
    assert.equal(rendered, `<p>@<em>${name}</em></p>`)
    assert.equal(await said(deactivate(creator, id)), 'Invalid user group')
    assert.equal(await said(create(creator, { name })), `User group '${name}' already exists.`)
    assert.equal(await said(create(creator, { subgroups: [id] })), `Invalid user group ID: ${id}`)

    // It can be changed nevertheless (levels 340 and 391).
    assert.equal(await said(change(creator, id, { add: [creator.userId], delete: [user.userId] })), 'success')
    assert.equal(await said(change(creator, id, { add_subgroups: [MODERATORS] })), 'success')
    assert.equal((await heard()).length, 3)
    assert.equal(await said(patch(creator, id, { deactivated: false, can_join_group: { new: MEMBERS } })), 'success')
    assert.equal(await said(patch(creator, id, { deactivated: false })), 'success')
    assert.deepEqual(await heard(), [
      { op: 'update', group_id: id, data: { can_join_group: MEMBERS } },
      { op: 'update', group_id: id, data: { deactivated: false } },
    ])
    assert.deepEqual((await listed(user, id)).members, [creator.userId])
  })

  test('a deactivated user leaves deactivated groups, too (STATE-USER-2)', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const id = await make(user, { members: [user.userId] })
    assert.equal(await said(deactivate(user, id)), 'success')
    const heard = await listen(owner)
    await owner.must('DELETE', `/users/${user.userId}`)
    const ops = (await heard())
      .filter(({ group_id }: { group_id: number }) => group_id === id)
      .map(({ op }: { op: string }) => op)
    assert.deepEqual(ops, ['remove_members', 'update', 'update'])
    assert.deepEqual((await listed(owner, id, KNOWING)).members, [])
  })

  test('a group in use cannot be deactivated (DIFF-GROUP-IN-USE)', async () => {
    const server = await parley()
    const [owner, creator] = [server.as('owner'), await server.newUser()]
    const id = await make(creator)
    const objections = async (user: ApiClient = creator) => {
      const { status, body } = await deactivate(user, id)
      if (status === 200) return 'success'
      assert.deepEqual(
        [status, body.code, body.msg],
        [400, 'CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.'],
      )
      return body.objections
    }
    const outer = await make(owner, { subgroups: [id], can_join_group: id })
    const other = await make(owner, { can_mention_group: unnamed([owner.userId], [id, MODERATORS]) })
    await owner.must('PATCH', '/realm', { can_create_groups: { new: unnamed([], [id, MEMBERS]) } })
    const { stream_id: open } = await owner.must('GET', '/get_stream_id', { stream: 'general' })
    const { id: closed } = await server.newChannel([owner], { invite_only: true })
    const name = (channels: readonly number[], value: object) =>
      server.inDatabase(async ({ knex }) => {
        await knex('channel')
          .whereIn('id', [...channels])
          .update({ group_settings: JSON.stringify(value) })
      })
    await name([open, closed], { can_send_message_group: id })
    const inChannel = (channel_id: number) => ({ type: 'channel', channel_id, settings: ['can_send_message_group'] })
    const others = [
      { type: 'user_group', group_id: outer, settings: ['can_join_group'] },
      { type: 'user_group', group_id: other, settings: ['can_mention_group'] },
      { type: 'realm', settings: ['can_create_groups'] },
    ]
    const subgroup = { type: 'subgroup', supergroup_ids: [outer] }
    assert.deepEqual(await objections(owner), [subgroup, inChannel(open), inChannel(closed), ...others])
    assert.deepEqual(await objections(), [subgroup, inChannel(open), ...others], 'a channel that they may not know')

    await owner.must('PATCH', '/realm', { can_create_groups: { new: MEMBERS } })
    assert.equal(await said(deactivate(owner, other)), 'success', 'what is out of use needs nothing')
    assert.equal(await said(change(owner, outer, { delete_subgroups: [id] })), 'success')
    assert.equal(await said(patch(owner, outer, { can_join_group: { new: NOBODY } })), 'success')
    await name([open], {})
    assert.deepEqual(await objections(), [], 'it is needed, and by what is not told')
    await name([closed], {})
    assert.equal(await said(patch(creator, id, { can_mention_group: { new: id } })), 'success')
    assert.equal(await objections(), 'success', 'its own settings do not count')
    assert.equal(await said(patch(owner, other, { deactivated: false })), `Invalid user group ID: ${id}`)
    assert.equal(await said(patch(creator, id, { deactivated: false })), 'success')
    assert.equal(await said(patch(owner, other, { deactivated: false })), 'success')
    assert.equal(await said(deactivate(server.as('member'), outer)), 'Insufficient permission')
    assert.equal(await said(deactivate(owner, NO_ID)), 'Invalid user group')
  })
})
