import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { remindersOf } from '../actions/reminders.ts'
import { SCHEDULED_MESSAGES } from '../actions/scheduled-messages.ts'
import { reminders } from '../db/repositories/reminders.ts'
import { scheduledMessages } from '../db/repositories/scheduled-messages.ts'
import type { MessageId, UserId } from '../domain/ids.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer, until } from '../server/testing.ts'

const FAR_AWAY = 2_082_787_200
const paths = { scheduled: '/scheduled_messages', reminders: '/reminders' }

/** Makes everything of `user` in the table due, and triggers the job. */
async function comeDue(server: TestServer, user: ApiClient, table: 'scheduled_message' | 'reminder'): Promise<void> {
  await server.inDatabase(({ knex }) => knex(table).where({ user_id: user.userId }).update({ deliver_at: 1000 }))
  const waker = await server.newUser()
  const to = [waker.userId]
  const { id: message_id } = await waker.must('POST', '/messages', { type: 'direct', to, content: 'x' })
  const at = { scheduled_delivery_timestamp: FAR_AWAY }
  if (table === 'reminder') await waker.must('POST', paths.reminders, { message_id, ...at })
  else await waker.must('POST', paths.scheduled, { type: 'direct', to, content: 'x', ...at })
}

/** Same, and returns the message that is sent. */
async function delivered(server: TestServer, user: ApiClient, table: 'scheduled_message' | 'reminder') {
  const events = await user.listen(['message'])
  await comeDue(server, user, table)
  const [{ message }] = await events.until((all) => all.length > 0)
  return message
}

type Get = InstanceType<typeof scheduledMessages.reader>['get']

/** Runs `around` instead of each look at a scheduled message. */
function onLook(t: TestContext, around: (look: () => ReturnType<Get>, id: number) => ReturnType<Get>): void {
  const { prototype } = scheduledMessages.reader
  const { get } = prototype
  t.mock.method(prototype, 'get', function (this: typeof prototype, ...which: Parameters<Get>) {
    return around(() => get.apply(this, which), which[1])
  })
}

/** Creates a channel with the administrator and `users`. */
const newChannel = (server: TestServer, users: readonly ApiClient[], more = {}) =>
  server.newChannel([server.as('admin'), ...users], more)

onEachDatabase('scheduled messages and reminders', (dialect) => {
  const parley = sharedParley(dialect)

  test('are rendered when they are sent, with the data of then', async () => {
    const server = await parley()
    const [user, named] = [await server.newUser(), await server.newUser()]
    const scheduled = { type: 'direct', to: [user.userId], content: `@**|${named.userId}** and more` }
    await user.must('POST', paths.scheduled, { ...scheduled, scheduled_delivery_timestamp: FAR_AWAY })
    await server.as('owner').must('PATCH', `/users/${named.userId}`, { full_name: 'Later Called' })
    const { id } = await delivered(server, user, 'scheduled_message')
    assert.match((await user.must('GET', `/messages/${id}`)).message.content, /@Later Called/)
  })

  test('have their poll', async () => {
    const server = await parley()
    const user = await server.newUser()
    const scheduled = { type: 'direct', to: [user.userId], content: '/poll Lunch?\nyes\nno' }
    await user.must('POST', paths.scheduled, { ...scheduled, scheduled_delivery_timestamp: FAR_AWAY })
    const { submessages } = await delivered(server, user, 'scheduled_message')
    assert.equal(JSON.parse(submessages[0].content).widget_type, 'poll')
  })

  test('that mention whom their sender may not mention are refused before their time', async () => {
    const server = await parley()
    const user = await server.newUser()
    const [owner, name] = [server.as('owner'), server.unique('crew')]
    const can_mention_group = { direct_members: [owner.userId], direct_subgroups: [] }
    await owner.must('POST', '/user_groups/create', { name, description: '', members: [], can_mention_group })
    const content = `@*${name}* come`
    const to = { type: 'direct', to: [user.userId], scheduled_delivery_timestamp: FAR_AWAY }
    const refusal = `You are not allowed to mention user group '${name}'.`
    assert.equal((await user.post(paths.scheduled, { ...to, content })).body.msg, refusal)
    const silent = { ...to, content: `@_*${name}* come` }
    const { scheduled_message_id: id } = await user.must('POST', paths.scheduled, silent)
    assert.equal((await user.patch(`${paths.scheduled}/${id}`, { content })).body.msg, refusal)
    const many = await Promise.all(Array.from({ length: 15 }, () => server.newUser()))
    const channel = await newChannel(server, [user, ...many])
    const toAll = { ...to, type: 'channel', to: channel.id, topic: 'x', content: '@**all** come' }
    const code = 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
    assert.equal((await user.post(paths.scheduled, toAll)).body.code, code)
    await user.must('PATCH', `${paths.scheduled}/${id}`, { content: toAll.content })
    const { type, topic } = toAll
    assert.equal((await user.patch(`${paths.scheduled}/${id}`, { type, to: channel.id, topic })).body.code, code)
  })

  test('fail after a right is lost, with a message of the notification bot, and can be tried again', async () => {
    const server = await parley()
    const user = await server.newUser()
    const channel = await newChannel(server, [user], { invite_only: true })
    const to = { type: 'stream', to: channel.id, topic: 'x', content: 'In time.' }
    const values = { ...to, scheduled_delivery_timestamp: FAR_AWAY }
    const { scheduled_message_id: id } = await user.must('POST', paths.scheduled, values)
    await server
      .as('admin')
      .must('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name], principals: [user.userId] })
    const events = await user.listen(['scheduled_messages', 'message'])
    await comeDue(server, user, 'scheduled_message')
    const [failed, notice] = await events.until((all) => all.length > 1)
    assert.deepEqual([failed.op, failed.scheduled_message.failed], ['update', true])
    assert.match(notice.message.sender_email, /^notification-bot@/)
    assert.match(notice.message.content, /could not be sent/)
    assert.ok(!notice.message.content.includes(channel.name), 'a channel that is private to others has no name')
    assert.equal((await user.must('GET', paths.scheduled)).scheduled_messages[0].failed, true)
    const late = await user.patch(`${paths.scheduled}/${id}`, { type: 'direct', to: [user.userId] })
    assert.equal(late.body.msg, 'Scheduled delivery time must be in the future.')
    const change = { type: 'direct', to: [user.userId], scheduled_delivery_timestamp: FAR_AWAY }
    await user.must('PATCH', `${paths.scheduled}/${id}`, change)
    const [again] = (await user.must('GET', paths.scheduled)).scheduled_messages
    assert.deepEqual([again.failed, again.type, again.to], [false, 'private', [user.userId]])
  })

  test('fail for a deactivated account, without a message', async () => {
    const server = await parley()
    const user = await server.newUser()
    const to = { type: 'direct', to: [user.userId], content: 'To myself.', scheduled_delivery_timestamp: FAR_AWAY }
    await user.must('POST', paths.scheduled, to)
    const { id: message_id } = await user.must('POST', '/messages', to)
    await user.must('POST', paths.reminders, { message_id, scheduled_delivery_timestamp: FAR_AWAY })
    await server.as('owner').must('DELETE', `/users/${user.userId}`)
    for (const table of ['scheduled_message', 'reminder'] as const) {
      await comeDue(server, user, table)
      let isFailed = false
      const look = async ({ knex }: Parameters<Parameters<TestServer['inDatabase']>[0]>[0]): Promise<void> => {
        isFailed = Number((await knex(table).where({ user_id: user.userId }).first()).has_failed) === 1
      }
      for (let tries = 0; !isFailed && tries < 500; tries += 1) {
        await server.inDatabase(look)
        await delay(5)
      }
      assert.ok(isFailed, table)
    }
    await server.as('owner').must('POST', `/users/${user.userId}/reactivate`)
    assert.equal((await user.must('GET', paths.reminders)).reminders[0].failed, true)
    assert.equal((await user.must('GET', paths.scheduled)).scheduled_messages[0].failed, true)
  })

  test('wait if postponed while others are sent', async (t) => {
    const server = await parley()
    const user = await server.newUser()
    const schedule = async (content: string) => {
      const to = { type: 'direct', to: [user.userId], content, scheduled_delivery_timestamp: FAR_AWAY }
      return (await user.must('POST', paths.scheduled, to)).scheduled_message_id
    }
    const [first, second] = [await schedule('first'), await schedule('second')]
    await schedule('third')
    let isPostponed = false
    onLook(t, async (look, id) => {
      if (id === first && !isPostponed) {
        isPostponed = true
        const later = { deliver_at: FAR_AWAY }
        await server.inDatabase(({ knex }) => knex('scheduled_message').where({ id: second }).update(later))
      }
      return look()
    })
    await comeDue(server, user, 'scheduled_message')
    await until(async () => (await user.newest([])).at(-1)?.content === 'third')
    const left = (await user.must('GET', paths.scheduled)).scheduled_messages
    assert.deepEqual(
      left.map((one: { scheduled_message_id: number }) => one.scheduled_message_id),
      [second],
    )
  })

  test('that fail while their destination changes keep the new one', async (t) => {
    const server = await parley()
    const user = await server.newUser()
    const to = { type: 'direct', to: [user.userId], content: 'x', scheduled_delivery_timestamp: FAR_AWAY }
    await user.must('POST', paths.scheduled, to)
    await server.as('owner').must('DELETE', `/users/${user.userId}`)
    const recipients = JSON.stringify([server.as('owner').userId])
    let isRead = false
    onLook(t, async (look, id) => {
      const row = await look()
      if (isRead) return row
      await server.inDatabase(({ knex }) => knex('scheduled_message').where({ id }).update({ recipients }))
      isRead = true
      return row
    })
    await comeDue(server, user, 'scheduled_message')
    await until(() => isRead)
    await comeDue(server, user, 'scheduled_message')
    let row: { has_failed: number; recipients: string } | undefined
    await until(async () => {
      await server.inDatabase(async ({ knex }) => {
        row = await knex('scheduled_message').where({ user_id: user.userId }).first()
      })
      return row?.has_failed === 1
    })
    assert.equal(row?.recipients, recipients)
  })

  test('quote the message of a reminder as it is then, however it is written', async () => {
    const server = await parley()
    const user = await server.newUser()
    const to = { type: 'direct', to: [user.userId] }
    const open = '```spoiler a\n~~~\n\nb'
    const { id: message_id } = await user.must('POST', '/messages', { ...to, content: 'Before.' })
    const note = '\n\n```\nopen  \n'
    await user.must('POST', paths.reminders, { message_id, note, scheduled_delivery_timestamp: FAR_AWAY })
    await user.must('PATCH', `/messages/${message_id}`, { content: open })
    const { id, content } = await delivered(server, user, 'reminder')
    assert.ok(content.includes('\n\n> ```spoiler a\n> ~~~\n> \n> b\n\nYour note:\n\n```\nopen'), content)
    const { message } = await user.must('GET', `/messages/${id}`)
    assert.match(
      message.content,
      /\nb\n<\/code>.*\n<\/div><\/div>\n<\/blockquote>\n<p>Your note:<\/p>\n<div class="codehilite">/,
    )
    assert.ok(content.includes(`/near/${message_id})`), content)
    assert.deepEqual((await user.must('GET', paths.reminders)).reminders, [])
  })

  test('reveal nothing of a message that their reader lost', async () => {
    const server = await parley()
    const user = await server.newUser()
    const channel = await newChannel(server, [user], { invite_only: true })
    const secret = { type: 'channel', to: channel.id, topic: 'plans', content: 'Our secret.' }
    const { id: message_id } = await server.as('admin').must('POST', '/messages', secret)
    await user.must('POST', paths.reminders, { message_id, note: 'Why?', scheduled_delivery_timestamp: FAR_AWAY })
    await server
      .as('admin')
      .must('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name], principals: [user.userId] })
    const { content } = await delivered(server, user, 'reminder')
    assert.equal(content, 'You asked to be reminded of a message that you can no longer read.\n\nYour note:\n\nWhy?')
  })

  test('do not name a sender whom their reader cannot see', async () => {
    const server = await parley()
    const [guest, stranger, owner] = [await server.newUser(), await server.newUser('Secret Sender'), server.as('owner')]
    await owner.must('PATCH', `/users/${guest.userId}`, { role: 600 })
    for (const one of [guest, stranger]) {
      const { subscriptions } = await one.must('GET', '/users/me/subscriptions')
      const names = subscriptions.map(({ name }: { name: string }) => name)
      await one.must('DELETE', '/users/me/subscriptions', { subscriptions: names })
    }
    const channel = await newChannel(server, [guest])
    const limit = (group: number) => owner.must('PATCH', '/realm', { can_access_all_users_group: { new: group } })
    await limit(6)
    try {
      const message_id = await stranger.send(channel.name)
      await guest.must('POST', paths.reminders, { message_id, scheduled_delivery_timestamp: FAR_AWAY })
      const { reminders: listed } = await guest.must('GET', paths.reminders)
      const message = await delivered(server, guest, 'reminder')
      for (const { content } of [listed[0], message])
        assert.match(content, /^You asked to be reminded of what Unknown user wrote in /)
    } finally {
      await limit(7)
    }
  })

  test('are limited for each account (DIFF-DELIVERIES)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const to = { type: 'direct', to: [user.userId], content: 'x' }
    const { id } = await user.must('POST', '/messages', to)
    const when = { scheduled_delivery_timestamp: FAR_AWAY }
    const text = { content: 'x', renderedContent: 'x', deliverAt: FAR_AWAY, hasFailed: false }
    const destination = { kind: 'direct' as const, userIds: [Number(user.userId)] }
    const userId = user.userId as UserId
    await server.inDatabase(async (session) => {
      const scheduled = { ...text, destination, isReadBySender: true, client: 'x' }
      const { count } = SCHEDULED_MESSAGES.most
      await new scheduledMessages.writer(session).insert(
        userId,
        Array.from({ length: count }, () => scheduled),
      )
      const reminder = { ...text, messageId: id as MessageId, note: '' }
      const { count: most } = remindersOf(userId).most
      await new reminders.writer(session).insert(
        userId,
        Array.from({ length: most }, () => reminder),
      )
    })
    const scheduled = await user.post(paths.scheduled, { ...to, ...when })
    assert.match(scheduled.body.msg, /^You have too many scheduled messages/)
    const reminder = await user.post(paths.reminders, { message_id: id, ...when })
    assert.match(reminder.body.msg, /^You have too many reminders/)
  })
})
