import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Database } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { systemClock } from '../../domain/clock.ts'
import { loggedEvent } from '../../domain/events/log-event.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { type Actor, asActor } from '../../permissions/actor.ts'
import { renderingHere } from '../../rendering/rendering.ts'
import { emptyDatabase, onEachDatabase } from '../../server/testing.ts'
import { renderContent } from '../messages/render-content.ts'
import { sendMessage } from '../messages/send-message.ts'
import { relinkAttachments, unlinkAttachments } from './link-attachments.ts'

const ORGANIZATION = { uuid: 'x', stringId: '', name: 'Test', description: '', createdAt: 0 }

onEachDatabase('files of messages', (dialect) => {
  let db: Database
  let removeDatabase: () => Promise<void>
  let ann: Actor
  let bob: Actor
  let count = 0
  before(async () => {
    const { location, remove } = await emptyDatabase(dialect)
    db = await Database.open(location, systemClock)
    removeDatabase = remove
    await db.transaction((tx) => tx.organizations.insert(ORGANIZATION, 'x'))
    ;[ann, bob] = [await newUser('Ann'), await newUser('Bob')]
  })
  after(async () => {
    await db.close()
    await removeDatabase()
  })

  async function newUser(fullName: string): Promise<Actor> {
    const account = { isBot: false, botOwnerId: null, canCreateUsers: false, dateJoined: 0, passwordHash: null }
    const keys = { apiKeyHash: fullName, apiKeyEncrypted: '' }
    const user = { email: `${fullName}@parley.example`, fullName, role: ROLE.member, ...account, ...keys }
    return asActor((await db.transaction((tx) => tx.users.insert(user))) ?? assert.fail())
  }

  async function upload(owner: Actor, contentType = 'text/plain', size = 10): Promise<string> {
    count += 1
    const pathId = `1/${String(count).padStart(32, '0')}/file`
    const file = { pathId, fileName: 'file', contentType, size, ownerId: owner.id, createdAt: 0 }
    assert.ok(await db.transaction((tx) => tx.attachments.insert(file, null)))
    return pathId
  }

  const contentOf = (pathIds: readonly string[]): string =>
    `files: ${pathIds.map((id) => `[file](/user_uploads/${id})`).join(' ')}`

  async function send(sender: Actor, recipient: Actor, pathIds: readonly string[]): Promise<MessageId> {
    const content = contentOf(pathIds)
    const rendered = await renderContent(db.read, sender, content, { rendering: renderingHere })
    const destination = { kind: 'direct' as const, recipients: [recipient.id as UserId] }
    const who = { client: 'test', isReadBySender: true, alertedUserIds: [], local: undefined }
    const request = { destination, content, rendered, ...who }
    return (await db.transaction((tx) => sendMessage(tx, sender, request))).id
  }

  /** The result of `work`, with the events it caused. */
  async function watched<T>(work: (tx: Tx) => Promise<T>) {
    const head = (await db.read.events.head()).eventId
    const value = await db.transaction(work)
    const logged = await db.read.events.after(head, 100)
    const told = logged.map(loggedEvent).map(({ event, audience }) => {
      assert.ok(event.type === 'attachment' && event.op === 'update' && audience.to === 'users')
      return [event.attachment.path_id, event.attachment.message_ids, audience.userIds]
    })
    return { value, told }
  }

  async function marks(id: MessageId): Promise<(number | undefined)[]> {
    const sql = 'select has_attachment, has_image from message where id = ?'
    const row = await db.read.session.get<{ has_attachment: number; has_image: number }>(sql, [id])
    return [row?.has_attachment, row?.has_image]
  }

  test('a message says whether it has files, and pictures among them', async () => {
    const [text, picture] = [await upload(ann), await upload(ann, 'image/png')]
    assert.deepEqual(await marks(await send(ann, bob, [])), [0, 0])
    assert.deepEqual(await marks(await send(ann, bob, [text])), [1, 0])
    assert.deepEqual(await marks(await send(ann, bob, [text, picture])), [1, 1])
    assert.deepEqual(await marks(await send(bob, ann, [await upload(ann)])), [0, 0], 'not a file that one may not read')
  })

  test('an edit links, unlinks and tells; files left without a message are the detached ones (MSG-EDIT-51 to 54)', async () => {
    const [gone, kept, elsewhere, added] = [
      await upload(ann),
      await upload(ann),
      await upload(ann),
      await upload(ann, 'image/gif'),
    ]
    const theirs = await upload(bob)
    const first = await send(bob, ann, [theirs])
    const other = await send(ann, bob, [elsewhere])
    const id = await send(ann, bob, [gone, kept, elsewhere, theirs])
    const { value, told } = await watched((tx) => relinkAttachments(tx, id, [kept, added], ann))
    assert.deepEqual(
      value.map(({ path_id, message_ids }) => [path_id, message_ids]),
      [[gone, []]],
    )
    assert.deepEqual(told, [
      [gone, [], [ann.id]],
      [elsewhere, [other], [ann.id]],
      [theirs, [first], [bob.id]],
      [added, [id], [ann.id]],
    ])
    assert.deepEqual(await marks(id), [1, 1])
    const nothing = await watched((tx) => relinkAttachments(tx, id, [kept, added, 'unknown'], ann))
    assert.deepEqual(nothing, { value: [], told: [] })
    await db.transaction((tx) => relinkAttachments(tx, id, [], ann))
    assert.deepEqual(await marks(id), [0, 0])
  })

  test('deleted messages let go of their files', async () => {
    const pathId = await upload(ann)
    const ids = [await send(ann, bob, [pathId]), await send(ann, bob, [pathId]), await send(ann, bob, [pathId])]
    const { told } = await watched((tx) => unlinkAttachments(tx, ids.slice(0, 2)))
    assert.deepEqual(told, [[pathId, [ids[2]], [ann.id]]])
  })

  test('of very many messages the newest are listed; an older one still opens the file', async () => {
    const pathId = await upload(ann)
    const first = await send(ann, bob, [pathId])
    const attachment = (await db.read.attachments.byPathId(pathId)) ?? assert.fail()
    await db.transaction(async (tx) => {
      for (let id = 1; id <= 1500; id += 1) await tx.attachments.link((1_000_000 + id) as MessageId, [attachment.id])
    })
    const listed = (await db.read.attachments.messageIds([attachment.id])).get(attachment.id) ?? []
    assert.deepEqual([listed.length, listed[0], listed.at(-1)], [1000, 1_000_501, 1_001_500])
    // None of those messages exists, so only the first upload lets Bob link it.
    assert.deepEqual(await marks(await send(bob, ann, [pathId])), [1, 0])
    assert.ok(first > 0)
  })

  test('the room that is used is the sum of the sizes', async () => {
    const before = await db.read.attachments.spaceUsed()
    const pathId = await upload(ann, 'text/plain', 3_000_000_000)
    assert.equal(await db.read.attachments.spaceUsed(), before + 3_000_000_000)
    const attachment = (await db.read.attachments.byPathId(pathId)) ?? assert.fail()
    await db.transaction((tx) => tx.attachments.delete(attachment))
    await db.transaction((tx) => tx.attachments.delete(attachment))
    const row = await db.read.session.get<{ total: string }>('select sum(size) as total from attachment')
    assert.deepEqual([await db.read.attachments.spaceUsed(), Number(row?.total)], [before, before])
  })
})
