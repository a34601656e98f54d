import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, onEachDatabase, ownParley, type Parameters } from '../../server/testing.ts'

const TYPES = ['default_streams', 'default_stream_groups']

/** Each test has its own server, because the lists belong to the whole organization. */
onEachDatabase('default channels', (dialect) => {
  const state = async (user: ApiClient) => {
    const { realm_default_streams: ids, realm_default_stream_groups: groups } = await user.must('POST', '/register', {
      event_types: [],
      fetch_event_types: TYPES,
    })
    return { ids, groups }
  }
  const make = async (user: ApiClient, name: string, parameters: Parameters = {}) =>
    (await user.must('POST', '/channels/create', { name, subscribers: [user.userId], ...parameters })).id as number
  const refused = async (answer: Promise<Answer>, msg: string) => assert.equal((await answer).body.msg, msg)

  test('a change is announced once, to everybody except guests, in the order of the channels', async (t) => {
    const server = await ownParley(t, dialect)
    const [admin, member, guest] = [server.as('admin'), server.as('member'), server.as('guest')]
    const [first, second] = [await make(member, 'First'), await make(member, 'Second')]
    const [heard, guestHeard] = [await member.listen(TYPES), await guest.listen(TYPES)]
    for (const stream_id of [second, first, first]) await admin.must('POST', '/default_streams', { stream_id })
    const told = (...ids: number[]) => ({ type: 'default_streams', default_streams: ids })
    assert.deepEqual(await state(member), { ids: [first, second], groups: [] })
    assert.deepEqual(await state(guest), { ids: [], groups: [] })
    for (const stream_id of [second, second]) await admin.must('DELETE', '/default_streams', { stream_id })
    assert.deepEqual(await heard(), [told(second), told(first, second), told(first)])

    const wanted = { group_name: ' Engineers ', description: 'Who builds', stream_names: ['second', 'Second'] }
    await admin.must('POST', '/default_stream_groups/create', wanted)
    const { groups } = await state(member)
    assert.deepEqual(groups, [{ ...groups[0], name: 'Engineers', streams: [second] }])
    const same = { new_group_name: 'Engineers', new_description: 'Who builds' }
    await admin.must('PATCH', `/default_stream_groups/${groups[0].id}`, same)
    assert.deepEqual(await heard(), [{ type: 'default_stream_groups', default_stream_groups: groups }])
    assert.deepEqual(await guestHeard(), [])
  })

  test('any number of channels created as default channels is announced at once', async (t) => {
    const server = await ownParley(t, dialect)
    const admin = server.as('admin')
    const heard = await admin.listen(TYPES)
    const subscriptions = ['One', 'Two', 'Three'].map((name) => ({ name }))
    await admin.must('POST', '/users/me/subscriptions', { subscriptions, is_default_stream: true })
    const { ids } = await state(admin)
    assert.equal(ids.length, 3)
    assert.deepEqual(await heard(), [{ type: 'default_streams', default_streams: ids }])
  })

  test('groups: refuse with a reason, and change nothing', async (t) => {
    const server = await ownParley(t, dialect)
    const [admin, member] = [server.as('admin'), server.as('member')]
    const usual = await make(member, 'Usual')
    for (const name of ['Open', 'Other']) await make(member, name)
    await make(member, 'Hidden', { invite_only: true })
    await admin.must('POST', '/default_streams', { stream_id: usual })
    const create = '/default_stream_groups/create'
    await admin.must('POST', create, { group_name: 'One', description: '', stream_names: ['Open'] })
    await admin.must('POST', create, { group_name: 'Two', description: '', stream_names: [] })
    const before = await state(admin)
    const [{ id }] = before.groups
    const path = `/default_stream_groups/${id}`
    const made = (changes: Parameters) =>
      admin.post(create, { group_name: 'Three', description: '', stream_names: [], ...changes })
    const change = (op: string, stream_names: string[]) => admin.patch(`${path}/streams`, { op, stream_names })
    await refused(made({ group_name: 'ONE' }), "Default channel group 'ONE' already exists")
    await refused(made({ group_name: ' ' }), 'group_name cannot be blank')
    await refused(made({ group_name: 'x'.repeat(61) }), 'group_name is too long (limit: 60 characters)')
    await refused(made({ stream_names: ['Open', 'No such'] }), "Invalid channel name 'No such'")
    await refused(made({ stream_names: ['Hidden'] }), 'Private channels cannot be made default.')
    await refused(made({ stream_names: ['Usual'] }), "New members follow channel 'Usual' anyway")
    await refused(change('add', ['Other', 'Open']), "Channel 'Open' is in the default channel group 'One' already")
    await refused(change('remove', ['Open', 'Other']), "Channel 'Other' is not in the default channel group 'One'")
    const open = (await admin.must('GET', '/get_stream_id', { stream: 'Open' })).stream_id
    await refused(admin.patch(`/streams/${open}`, { is_private: true }), 'A default channel cannot be private.')
    const { id: archived } = await admin.must('POST', '/channels/create', { name: 'Archived', subscribers: [] })
    await admin.must('DELETE', `/streams/${archived}`)
    await refused(admin.post('/default_streams', { stream_id: archived }), 'Invalid channel ID')
    await refused(
      admin.patch(path, {}),
      'Nothing to do. Specify at least one of "new_group_name" or "new_description".',
    )
    await refused(admin.patch(path, { new_group_name: 'two' }), "Default channel group 'two' already exists")
    assert.deepEqual(await state(admin), before)
  })

  test('people who become guests, or cease to be, are told what they may see now', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, member] = [server.as('owner'), server.as('member')]
    const id = await make(member, 'Usual')
    await owner.must('POST', '/default_streams', { stream_id: id })
    const grouped = { group_name: 'One', description: '', stream_names: [] }
    await owner.must('POST', '/default_stream_groups/create', grouped)
    const { groups } = await state(owner)
    const heard = await member.listen(TYPES)
    for (const role of [600, 400, 300]) await owner.must('PATCH', `/users/${member.userId}`, { role })
    assert.deepEqual(await heard(), [
      { type: 'default_streams', default_streams: [] },
      { type: 'default_stream_groups', default_stream_groups: [] },
      { type: 'default_streams', default_streams: [id] },
      { type: 'default_stream_groups', default_stream_groups: groups },
    ])
  })

  test('refuse more than every client can be sent repeatedly (DIFF-DEFAULTS)', async (t) => {
    const server = await ownParley(t, dialect)
    const admin = server.as('admin')
    const make = (count: number, prefix: string, more: Parameters = {}) =>
      admin.post('/users/me/subscriptions', {
        subscriptions: Array.from({ length: count }, (_, index) => ({ name: `${prefix} ${index}` })),
        ...more,
      })
    assert.equal((await make(999, 'Usual', { is_default_stream: true })).status, 200)
    await refused(make(2, 'More', { is_default_stream: true }), 'New members can follow at most 1000 channels.')
    assert.equal((await make(1, 'Last', { is_default_stream: true })).status, 200)
    assert.equal((await make(1000, 'Chosen')).status, 200)
    const names = Array.from({ length: 1000 }, (_, index) => `Chosen ${index}`)
    const group = (group_name: string, stream_names: string[]) =>
      admin.post('/default_stream_groups/create', { group_name, description: '', stream_names })
    assert.equal((await group('Full', names)).status, 200)
    await refused(group('Over', ['general']), 'Groups of channels for new users can have at most 1000 channels.')
    for (let index = 1; index < 200; index += 1) assert.equal((await group(`Group ${index}`, [])).status, 200)
    await refused(group('Over', []), 'There can be at most 200 groups of channels for new users.')
  })
})
