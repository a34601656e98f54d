import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REPORTS_PER_USER } from '../../domain/limits.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

const PRIVATE = 'Moderation request channel must be private.'

onEachDatabase('POST /messages/{message_id}/report', (dialect) => {
  const parley = sharedParley(dialect)
  const limited = sharedParley(dialect, { rateLimits: true })
  const set = (server: TestServer, id: number) =>
    server.as('admin').patch('/realm', { moderation_request_channel_id: id })
  const settingOf = async (user: ApiClient) => {
    const state = await user.must('POST', '/register', { event_types: [], fetch_event_types: ['realm'] })
    return state.realm_moderation_request_channel_id
  }

  /** Creates a private channel of the moderator, and sends reports there. */
  async function office(server: TestServer): Promise<number> {
    const moderator = server.as('moderator')
    const name = server.unique('office')
    const values = { name, subscribers: [moderator.userId], invite_only: true }
    const { id } = await moderator.must('POST', '/channels/create', values)
    assert.equal((await set(server, id)).status, 200)
    return id
  }
  const reports = (server: TestServer, stream_id: number) =>
    server.as('moderator').newest([{ operator: 'channel', operand: stream_id }])

  test('quotes the message and the reason, names the participants, and mentions nobody', async () => {
    const server = await parley()
    const [guest, member] = [server.as('guest'), server.as('member')]
    const channel = await office(server)
    const nameOf = async (user: ApiClient) => (await user.must('GET', '/users/me')).full_name
    const [author, reporter] = [await nameOf(guest), await nameOf(member)]
    const content = `@**all** and @**${reporter}**: \`\`\`\n# buy`
    const to = [member.userId, server.as('moderator').userId]
    const { id } = await guest.must('POST', '/messages', { type: 'direct', to, content })
    const description = 'Look @**all**\n```\nat it'
    await member.must('POST', `/messages/${id}/report`, { report_type: 'other', description })
    const [report] = (await reports(server, channel)).slice(-1)
    assert.ok(report)
    assert.equal(report.subject, `Reports of ${author}`)
    assert.match(report.sender_email, /^notification-bot@/)
    const quotes = [description, content].map((text) => `> ${text.replaceAll('\n', '\n> ')}`)
    for (const text of [...quotes, `@_**${author}|`, `@_**${reporter}|`, '**Another reason**']) {
      assert.ok(report.content.includes(text), text)
    }
    assert.deepEqual(
      report.flags.filter((flag: string) => flag !== 'read'),
      [],
      'whoever moderates is in it, and not mentioned',
    )
    const long = await guest.must('POST', '/messages', { type: 'direct', to, content: 'x'.repeat(10_000) })
    await member.must('POST', `/messages/${long.id}/report`, { report_type: 'spam', description: 'y'.repeat(1000) })
    const [cut] = (await reports(server, channel)).slice(-1)
    assert.equal([...(cut?.content ?? '')].length, 10_000)
    assert.match(cut?.content ?? '', /\[message truncated\]$/)
  })

  test('does not tell the author of a linked file (DIFF-REPORTS)', async () => {
    const server = await parley()
    const [author, member] = [await server.newUser(), server.as('member')]
    await office(server)
    const { body: uploaded } = await author.upload('note.txt', 'text')
    const to = [member.userId]
    const { id } = await author.must('POST', '/messages', { type: 'direct', to, content: `[note](${uploaded.url})` })
    await member.must('POST', `/messages/${id}/report`, { report_type: 'norms' })
    const { attachments } = await author.must('GET', '/attachments')
    assert.deepEqual(
      attachments.map((file: { message_ids: number[] }) => file.message_ids),
      [[id]],
    )
  })

  test('requires a channel that is private and not archived', async () => {
    const server = await parley()
    const [admin, moderator] = [server.as('admin'), server.as('moderator')]
    const id = await office(server)
    const { body } = await moderator.patch(`/streams/${id}`, { is_private: false })
    assert.equal(body.msg, PRIVATE)
    const open = await admin.must('POST', '/channels/create', { name: server.unique('open'), subscribers: [] })
    assert.equal((await set(server, open.id)).body.msg, PRIVATE)
    assert.equal((await set(server, 999_999)).body.msg, 'Invalid channel ID')
    assert.equal(await settingOf(admin), id)
    const heard = await admin.listen(['realm'])
    await moderator.must('DELETE', `/streams/${id}`)
    assert.deepEqual(
      (await heard()).map(({ property, value }) => [property, value]),
      [['moderation_request_channel_id', -1]],
    )
    assert.equal(await settingOf(admin), -1)
  })

  test('accepts ten messages a minute from one account (DIFF-REPORTS)', async () => {
    const server = await limited()
    const member = server.as('member')
    await office(server)
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
    const report = () => member.post(`/messages/${id}/report`, { report_type: 'spam' })
    const answers = await Promise.all(Array.from({ length: REPORTS_PER_USER.count + 2 }, report))
    assert.equal(answers.filter(({ status }) => status === 200).length, REPORTS_PER_USER.count)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 429])
  })
})
