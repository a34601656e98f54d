import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WrittenTextReader } from '../db/repositories/written-texts.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import { onEachDatabase } from '../server/testing.ts'
import { startWithMovedClock } from './moved-clock-testing.ts'

onEachDatabase('files without references', (dialect) => {
  async function started(t: TestContext) {
    const { server, pass, runJobs, now } = await startWithMovedClock(t, dialect)
    const after = async (days: number): Promise<void> => {
      pass(days)
      await runJobs()
    }
    return { user: server.as('owner'), now, after }
  }

  test('stay if a reference appears while others are removed', async (t) => {
    const { user, after } = await started(t)
    const { url: named } = (await user.upload('named', 'named')).body
    const { url: unused } = (await user.upload('unused', 'unused')).body
    const { pages } = WrittenTextReader.prototype
    const content = `[it](${named})`
    const looked = t.mock.method(WrittenTextReader.prototype, 'pages', async function* (this: WrittenTextReader) {
      yield* pages.call(this)
      await user.must('POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content }] })
    })
    await after(36)
    assert.equal(looked.mock.callCount(), 1)
    assert.deepEqual([(await user.fetch(named)).status, (await user.fetch(unused)).status], [200, 404])
  })

  test('are removed after 35 days, and those of sent or scheduled messages and drafts are kept (DIFF-UNUSED-FILES)', async (t) => {
    const { user, now, after } = await started(t)
    const upload = async (name: string): Promise<string> => (await user.upload(name, name)).body.url
    const send = async (content: string): Promise<number> =>
      (await user.must('POST', '/messages', { type: 'direct', to: [user.userId], content })).id

    const names =
      'unused sent withdrawn formerly draft snippet scheduled description folder group greeting profile task storage'.split(
        ' ',
      )
    const files = new Map<string, string>()
    for (const name of names) files.set(name, await upload(name))
    const link = (name: string): string => `[it](${files.get(name)})`
    await send(link('sent'))
    const withdrawn = await send(link('withdrawn'))
    const formerly = await send(link('formerly'))
    const edited = await user.must('PATCH', `/messages/${formerly}`, { content: 'no file' })
    assert.equal(edited.detached_uploads.length, 1)
    const drafts = [{ type: '', to: [], topic: '', content: link('draft') }]
    const { ids } = await user.must('POST', '/drafts', { drafts })
    await user.must('POST', '/saved_snippets', { title: 'it', content: link('snippet') })
    const scheduled_delivery_timestamp = Math.floor(now() / 1000) + 300 * DAY_SECONDS
    const scheduled = { type: 'direct', to: [user.userId], content: link('scheduled'), scheduled_delivery_timestamp }
    await user.must('POST', '/scheduled_messages', scheduled)
    const described = { name: 'Described', description: link('description') }
    await user.must('POST', '/users/me/subscriptions', { subscriptions: [described] })
    await user.must('POST', '/channel_folders/create', { name: 'Folder', description: link('folder') })
    const group = { group_name: 'Group', description: link('group'), stream_names: ['Described'] }
    await user.must('POST', '/default_stream_groups/create', group)
    await user.must('POST', '/invites/multiuse', { welcome_message_custom_text: link('greeting') })
    const { id } = await user.must('POST', '/realm/profile_fields', { name: 'Work', field_type: 2 })
    await user.must('PATCH', '/users/me/profile_data', { data: [{ id, value: link('profile') }] })
    const task = JSON.stringify({ type: 'new_task', key: 1, task: 'x', desc: link('task'), completed: false })
    await user.must('POST', '/submessage', { message_id: await send('/todo'), msg_type: 'widget', content: task })
    await user.request('PUT', '/bot_storage', { storage: { file: link('storage') } })

    const isThere = async (): Promise<string[]> => {
      const { attachments, upload_space_used: used } = await user.must('GET', '/attachments')
      assert.equal(
        used,
        attachments.reduce((sum: number, { size }: { size: number }) => sum + size, 0),
      )
      const there = attachments.map(({ name }: { name: string }) => name)
      for (const [name, path] of files) {
        assert.equal((await user.fetch(path)).status, there.includes(name) ? 200 : 404, name)
      }
      return there
    }
    await after(34)
    assert.deepEqual(await isThere(), names)
    await user.must('DELETE', `/messages/${withdrawn}`)
    const { queue_id, last_event_id } = await user.must('POST', '/register', {
      event_types: ['attachment'],
      queue_lifespan_secs: 30 * DAY_SECONDS,
    })
    await after(2)
    assert.deepEqual(await isThere(), names.slice(1), 'withdrawn two days ago')
    const { events } = await user.must('GET', '/events', { queue_id, last_event_id })
    assert.deepEqual(
      events.map(({ op }: { op: string }) => op),
      ['remove'],
    )
    await after(35)
    assert.deepEqual(
      await isThere(),
      'sent formerly draft snippet scheduled description folder group greeting profile task storage'.split(' '),
    )
    await user.must('DELETE', `/messages/${formerly}`)
    await user.must('DELETE', `/drafts/${ids[0]}`)
    await after(1)
    assert.deepEqual(
      await isThere(),
      names.filter((name) => !['unused', 'withdrawn', 'draft'].includes(name)),
    )
    await after(35)
    assert.deepEqual(
      await isThere(),
      names.filter((name) => !['unused', 'withdrawn', 'formerly', 'draft'].includes(name)),
    )
  })
})
