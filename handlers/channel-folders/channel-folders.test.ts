import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answer,
  type ApiClient,
  onEachDatabase,
  ownParley,
  type Parameters,
  sharedParley,
} from '../../server/testing.ts'

onEachDatabase('channel folders', (dialect) => {
  const parley = sharedParley(dialect)
  const make = async (user: ApiClient, name: string, description?: string) =>
    (await user.must('POST', '/channel_folders/create', { name, description })).channel_folder_id as number
  const listed = async (user: ApiClient): Promise<{ id: number; name: string; order: number }[]> =>
    (await user.must('GET', '/channel_folders', { include_archived: true })).channel_folders
  const listen = (user: ApiClient) => user.listen(['channel_folder'])
  const refused = async (answer: Promise<Answer>, msg: string) => assert.equal((await answer).body.msg, msg)

  test('only changes are announced', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const [name, renamed] = [server.unique('Folder'), server.unique('Renamed')]
    const id = await make(admin, name, 'What we **make**')
    const heard = await listen(admin)
    const change = (changes: Parameters) => admin.must('PATCH', `/channel_folders/${id}`, changes)
    await change({ name: renamed, description: 'What we **make**' })
    await change({ description: '', is_archived: false })
    await change({})
    const told = (await heard()).map(({ data }) => data)
    assert.deepEqual(told, [{ name: renamed }, { description: '', rendered_description: '' }])
  })

  test('active folders have different names, without regard to case', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const name = server.unique('Taken')
    const id = await make(admin, name)
    const other = await make(admin, server.unique('Other'))
    const taken = (as: string) => `A channel folder named '${as}' already exists`
    await refused(admin.post('/channel_folders/create', { name: name.toUpperCase() }), taken(name.toUpperCase()))
    await refused(admin.patch(`/channel_folders/${other}`, { name }), taken(name))
    await admin.must('PATCH', `/channel_folders/${id}`, { name: name.toUpperCase() })
    await admin.must('PATCH', `/channel_folders/${id}`, { is_archived: true })
    await admin.must('PATCH', `/channel_folders/${other}`, { name })
    await refused(admin.patch(`/channel_folders/${id}`, { is_archived: false }), taken(name.toUpperCase()))
    await admin.must('PATCH', `/channel_folders/${id}`, { is_archived: false, name: server.unique('Free') })
  })

  test('refuse invalid names and descriptions (DIFF-DESCRIPTIONS)', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const id = await make(admin, server.unique('Refused'))
    const before = await listed(admin)
    const create = (parameters: Parameters) => admin.post('/channel_folders/create', parameters)
    await refused(create({ name: ' ' }), 'name cannot be blank')
    await refused(create({ name: 'x'.repeat(61) }), 'name is too long (limit: 60 characters)')
    const longest = 'description is too long (limit: 1024 characters)'
    await refused(create({ name: 'x', description: '😀'.repeat(1025) }), longest)
    const html = 'description is too long (limit: 32768 bytes as HTML)'
    await refused(create({ name: 'x', description: '😀'.repeat(1024) }), html)
    await refused(admin.patch(`/channel_folders/${id}`, { description: '😀'.repeat(1024) }), html)
    await refused(admin.patch(`/channel_folders/${id}`, { name: '' }), 'name cannot be blank')
    await refused(admin.patch(`/channel_folders/${id}`, { description: 'x'.repeat(1025) }), longest)
    await refused(admin.patch('/channel_folders/2000000000', { name: 'x' }), 'Invalid channel folder ID')
    assert.deepEqual(await listed(admin), before)
  })

  test('are limited in number and length, because everybody gets all of them (DIFF-FOLDERS)', async (t) => {
    const server = await ownParley(t, dialect)
    const admin = server.as('admin')
    const html = 'x'.repeat(32 * 1024)
    await server.inDatabase(async ({ knex }) => {
      for (let id = 1; id < 999; id += 1) {
        const rendered_description = id <= 128 ? html : ''
        const texts = { name: `Old ${id}`, description: '', rendered_description }
        await knex('channel_folder').insert({ id, ...texts, position: id, is_archived: id % 2 })
      }
    })
    const create = (parameters: Parameters) => admin.post('/channel_folders/create', parameters)
    const tooLong = 'description is too long (limit: 4194304 bytes as HTML, of all folders)'
    await refused(create({ name: 'Long', description: 'x' }), tooLong)
    await refused(admin.patch('/channel_folders/300', { description: 'x' }), tooLong)
    await admin.must('PATCH', '/channel_folders/1', { description: 'shorter' })
    await admin.must('PATCH', '/channel_folders/300', { description: 'x' })
    await make(admin, 'The 999th', 'x')
    await make(admin, 'The 1000th')
    await refused(create({ name: 'More' }), 'There can be at most 1000 channel folders, with archived ones.')
  })

  test('folders outside of a new order follow it (DIFF-FOLDER-ORDER), and an unchanged order is not announced', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const [first, second, third] = [
      await make(admin, server.unique('One')),
      await make(admin, server.unique('Two')),
      await make(admin, server.unique('Three')),
    ]
    const others = (await listed(admin)).map(({ id }) => id).filter((id) => id < first)
    const heard = await listen(server.as('guest'))
    const reorder = (order: number[]) => admin.patch('/channel_folders', { order })
    for (const order of [[third, first], [third, first, ...others, second], []])
      assert.equal((await reorder(order)).status, 200)
    const last = [third, first, ...others, second]
    assert.deepEqual(await heard(), [{ type: 'channel_folder', op: 'reorder', order: last }])
    assert.deepEqual(
      (await listed(admin)).map(({ id, order }) => [id, order]),
      last.map((id, index) => [id, index]),
    )
    await refused(reorder([first, first]), 'Invalid order mapping')
    await refused(reorder([2_000_000_000]), 'Invalid order mapping')
    const newest = await make(admin, server.unique('Four'))
    assert.equal((await listed(admin)).at(-1)?.id, newest)
  })

  test('only active folders accept channels, and a folder with channels, even archived ones, stays active', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const [id, archived] = [await make(admin, server.unique('Full')), await make(admin, server.unique('Gone'))]
    await admin.must('PATCH', `/channel_folders/${archived}`, { is_archived: true })
    const name = server.unique('Inside')
    const subscribe = (folder_id: unknown) =>
      member.post('/users/me/subscriptions', { subscriptions: [{ name }], folder_id })
    for (const folder of [archived, 2_000_000_000, 0]) await refused(subscribe(folder), 'Invalid channel folder ID')
    assert.equal((await subscribe(id)).status, 200)
    const { stream_id } = await member.must('GET', '/get_stream_id', { stream: name })
    await refused(admin.patch(`/streams/${stream_id}`, { folder_id: archived }), 'Invalid channel folder ID')
    const kept = 'A folder that has channels cannot be archived: put them elsewhere first.'
    await admin.must('DELETE', `/streams/${stream_id}`)
    await refused(admin.patch(`/channel_folders/${id}`, { is_archived: true, name: 'x' }), kept)
  })
})
