import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reactivateOrganization } from '../actions/organization/deactivate-organization.ts'
import type { UserId } from '../domain/ids.ts'
import { type Answer, type ApiClient, type Heard, onEachDatabase, ownParley, until } from '../server/testing.ts'

onEachDatabase('messages of deactivated accounts', (dialect) => {
  const deleted = async ({ until }: Heard, count: number) => {
    const idsIn = (events: Answer['body'][]): number[] => events.flatMap(({ message_ids: ids }) => ids)
    return idsIn(await until((events) => idsIn(events).length >= count)).toSorted((one, other) => one - other)
  }

  test('stay while the organization is deactivated, and go afterwards (DIFF-DEACTIVATION)', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const { id } = await user.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'x' })
    await owner.must('POST', '/realm/deactivate')
    const { db, jobs } = server.parley.inside
    const kinds = { ofPublicChannels: false, ofPrivateChannels: false, ofConversations: true }
    const removal = { userId: user.userId as UserId, throughId: id, ...kinds }
    await db.transaction((tx) => tx.messageRemovals.insert(removal))
    const isThere = async () => (await db.read.session.get('select 1 from message where id = ?', [id])) !== undefined
    await jobs.runDue()
    assert.equal(await isThere(), true)
    await db.transaction(reactivateOrganization)
    await until(async () => !(await isThere()))
  })

  test('are deleted if their kind was selected, and those of others are not', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const principals = [owner.userId, user.userId]
    const [open, hidden] = await Promise.all(
      [false, true].map(async (invite_only) => {
        const name = server.unique('said')
        await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, invite_only })
        return name
      }),
    )
    const send = async (sender: ApiClient, to: unknown, type = 'channel') =>
      (await sender.must('POST', '/messages', { type, to, topic: 'x', content: 'x' })).id as number
    const many: number[] = []
    while (many.length < 45) many.push(await send(user, open))
    const [secret, direct] = [await send(user, hidden), await send(user, [owner.userId], 'direct')]
    const [others, another] = [await send(owner, open), await send(owner, [user.userId], 'direct')]
    const isThere = async (id: number) => (await owner.get(`/messages/${id}`)).status === 200
    const listen = () =>
      owner.listen(['delete_message'], {
        client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
      })
    const [first, second] = [await listen(), await listen()]
    const remove = (actions: object) => owner.must('DELETE', `/users/${user.userId}`, { actions })
    await remove({ delete_public_channel_messages: true, delete_direct_messages: false })
    assert.deepEqual(await deleted(first, many.length), many)
    assert.deepEqual(await Promise.all([secret, direct, others, another].map(isThere)), [true, true, true, true])
    await owner.must('POST', `/users/${user.userId}/reactivate`)
    // Messages sent after the request stay.
    await remove({ delete_private_channel_messages: true, delete_direct_messages: true })
    await owner.must('POST', `/users/${user.userId}/reactivate`)
    const later = await send(user, hidden)
    assert.deepEqual(await deleted(second, many.length + 2), [...many, secret, direct])
    assert.deepEqual(await Promise.all([later, others, another].map(isThere)), [true, true, true])
  })
})
