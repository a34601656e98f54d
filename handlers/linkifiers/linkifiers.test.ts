import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_LINKIFIERS } from '../../domain/limits.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('linkifiers', (dialect) => {
  const parley = sharedParley(dialect)
  let count = 0
  const values = () => {
    count += 1
    return { pattern: `T${count}-(?P<id>[0-9]+)`, url_template: `https://example.com/${count}/{id}` }
  }
  const capabilities = (linkifier_url_template: boolean) => ({
    client_capabilities: { notification_settings_null: true, linkifier_url_template },
  })
  const list = async (client: ApiClient) => (await client.must('GET', '/realm/linkifiers')).linkifiers

  test('are announced to clients that know them, if something changes', async () => {
    const server = await parley()
    const [admin, guest] = [server.as('admin'), server.as('guest')]
    const { id } = await admin.must('POST', '/realm/filters', values())
    const heard = await guest.listen(['realm_linkifiers'], capabilities(true))
    const old = await guest.listen(['realm_linkifiers'], capabilities(false))
    for (const example_input of [`T${count}-1`, `T${count}-1`, '']) {
      await admin.must('PATCH', `/realm/filters/${id}`, { example_input })
    }
    const told = (await heard()).map(({ realm_linkifiers: [one] }) => one.example_input)
    assert.deepEqual([told, await old()], [[`T${count}-1`, null], []])
    const state = await guest.must('POST', '/register', { event_types: ['realm_linkifiers'], ...capabilities(false) })
    assert.deepEqual(state.realm_linkifiers, [])
    await admin.must('DELETE', `/realm/filters/${id}`)
    assert.equal((await admin.delete(`/realm/filters/${id}`)).body.msg, 'Linkifier not found.')
  })

  test('are ordered, each named once', async () => {
    const admin = (await parley()).as('admin')
    const add = async () => (await admin.must('POST', '/realm/filters', values())).id as number
    const ids = async () => (await list(admin)).map(({ id }: { id: number }) => id)
    const made = [await add(), await add()]
    const order = async (ordered_linkifier_ids: unknown) =>
      (await admin.patch('/realm/linkifiers', { ordered_linkifier_ids })).body.msg
    const all = await ids()
    const whole = 'The ordered list must enumerate all existing linkifiers exactly once'
    for (const wrong of [all.slice(1), [...all, 99_999]]) assert.equal(await order(wrong), whole)
    const twice = 'The ordered list must not contain duplicated linkifiers'
    assert.equal(await order([...all, all[0]]), twice)
    await order(all.toReversed())
    made.push(await add())
    assert.deepEqual(await ids(), [...all.toReversed(), made.at(-1)])
    for (const id of made.splice(0, 2)) await admin.must('DELETE', `/realm/filters/${id}`)
    made.push(await add())
    assert.equal((await ids()).at(-1), made.at(-1), 'at the end, also after others went')
    for (const id of made) await admin.must('DELETE', `/realm/filters/${id}`)
  })

  test('are refused with a reason', async () => {
    const admin = (await parley()).as('admin')
    const given = values()
    const { id } = await admin.must('POST', '/realm/filters', given)
    const again = await admin.post('/realm/filters', given)
    assert.deepEqual(again.body.errors, { __all__: ['A linkifier with this pattern already exists.'] })
    const bad = await admin.post('/realm/filters', { ...values(), url_template: 'https://example.com/{id' })
    assert.deepEqual(
      [bad.body.errors, bad.body.msg],
      [{ url_template: ['Invalid URL template.'] }, 'Invalid URL template.'],
    )
    await admin.must('DELETE', `/realm/filters/${id}`)
  })

  test('make links in a topic that messages move to', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const { pattern } = values()
    const { id } = await admin.must('POST', '/realm/filters', { pattern, url_template: 'https://example.com/{id}' })
    const [name] = pattern.split('-')
    const heard = await member.listen(['update_message'])
    const sent = await member.send('general')
    await member.must('PATCH', `/messages/${sent}`, { topic: `${name}-2`, send_notification_to_new_thread: false })
    const links = [{ text: `${name}-2`, url: 'https://example.com/2' }]
    const { message: one } = await member.must('GET', `/messages/${sent}`)
    const [moved] = await heard()
    assert.deepEqual([one.topic_links, moved.topic_links], [links, links])
    await admin.must('DELETE', `/realm/filters/${id}`)
    assert.deepEqual((await member.must('GET', `/messages/${sent}`)).message.topic_links, [])
  })

  test('are limited to fifty (DIFF-LINKIFIERS)', async () => {
    const admin = (await parley()).as('admin')
    const added = Array.from({ length: MAX_LINKIFIERS + 1 }, () => admin.post('/realm/filters', values()))
    const refused = (await Promise.all(added)).filter(({ status }) => status !== 200).map(({ body }) => body.msg)
    assert.deepEqual(refused, [`An organization has at most ${MAX_LINKIFIERS} linkifiers.`])
  })
})
