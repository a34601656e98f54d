import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

const password = 'correct horse battery'

onEachDatabase('a welcome message', (dialect) => {
  const parley = sharedParley(dialect)
  const received = async (user: ApiClient): Promise<string[]> => (await user.newest()).map(({ content }) => content)
  const joined = async (server: TestServer, values: Record<string, unknown>): Promise<ApiClient> => {
    const admin = server.as('admin')
    const username = `${server.unique('new').replaceAll(' ', '-')}@example.com`
    const { invite_link } = await admin.must('POST', '/invites/multiuse', values)
    const invite_key = String(invite_link).split('/').at(-1)
    await admin.must('POST', '/join', { invite_key, email: username, full_name: server.unique('New'), password })
    return new ApiClient(server.url, await admin.must('POST', '/fetch_api_key', { username, password }))
  }

  test('is that of the invitation, otherwise of the organization', async () => {
    const server = await parley()
    const admin = server.as('admin')
    await admin.must('PATCH', '/realm', { welcome_message_custom_text: '**Ahoy!**' })
    const join = async (values: Record<string, unknown>) => received(await joined(server, values))
    assert.deepEqual(await join({}), ['**Ahoy!**'])
    assert.deepEqual(await join({ welcome_message_custom_text: 'Come in.' }), ['Come in.'])
    assert.deepEqual(await join({ welcome_message_custom_text: ' ' }), [])
    const can_mention_group = { direct_members: [admin.userId], direct_subgroups: [] }
    const group = { name: server.unique('helpers'), description: '', members: [], can_mention_group }
    await admin.must('POST', '/user_groups/create', group)
    const asking = `Ask @*${group.name}*.`
    assert.deepEqual(await join({ welcome_message_custom_text: asking }), [asking])
    await admin.must('PATCH', '/realm', { welcome_message_custom_text: '' })
    assert.deepEqual(await join({}), [])
    assert.deepEqual(await received(await server.newUser()), [])
    const refused = { invitee_emails: 'x@example.com', stream_ids: [], welcome_message_custom_text: 'x' }
    assert.equal((await server.as('moderator').post('/invites', refused)).body.code, 'UNAUTHORIZED_PRINCIPAL')
    const blank = { welcome_message_custom_text: ' ' }
    const { body } = await admin.post('/realm/test_welcome_bot_custom_message', blank)
    assert.equal(body.msg, 'Message must not be empty')
  })

  test('gives access to the files in it', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const { url } = (await admin.upload('map.txt', 'the map')).body
    const newcomer = await joined(server, { welcome_message_custom_text: `See the [map](${url}).` })
    assert.equal(await (await newcomer.fetch(url)).text(), 'the map')
    const [greeting] = await newcomer.newest()
    const { attachments } = await admin.must('GET', '/attachments')
    const { message_ids } = attachments.find(({ path_id }: { path_id: string }) => url.endsWith(path_id))
    assert.deepEqual(message_ids, [greeting.id])
  })
})
