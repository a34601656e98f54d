import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttachmentWriter } from '../../db/repositories/attachments.ts'
import { insertRows } from '../../db/rows-testing.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('files of messages', (dialect) => {
  const parley = sharedParley(dialect)
  const link = async (owner: ApiClient, name: string, content = name) =>
    `[it](${(await owner.upload(name, content)).body.url})`
  const send = async (sender: ApiClient, to: ApiClient, content: string): Promise<number> =>
    (await sender.must('POST', '/messages', { type: 'direct', to: [to.userId], content })).id

  test('an edit or deletion removes their links, tells owners, and updates the message', async () => {
    const server = await parley()
    const [ann, bob] = [await server.newUser(), await server.newUser()]
    const [gone, kept, theirs] = [await link(ann, 'gone'), await link(ann, 'kept'), await link(bob, 'theirs')]
    const picture = await link(ann, 'picture', 'GIF89a')
    const first = await send(bob, ann, theirs)
    const id = await send(ann, bob, `${gone} ${kept} ${theirs}`)
    const heard = [await ann.listen(['attachment']), await bob.listen(['attachment'])]
    const told = async () => {
      const events = (await Promise.all(heard.map((hear) => hear()))).flat()
      return events.map(({ attachment: { name, message_ids } }) => [name, message_ids])
    }
    const has = async (operand: string): Promise<boolean> => {
      const narrow = [['has', operand]]
      const { messages } = await ann.must('GET', '/messages', { anchor: id, num_before: 0, num_after: 0, narrow })
      return messages.length > 0
    }
    const edit = (content: string) => ann.must('PATCH', `/messages/${id}`, { content })
    await edit(`${kept} ${picture}`)
    assert.deepEqual(await told(), [
      ['gone', []],
      ['picture', [id]],
      ['theirs', [first]],
    ])
    assert.deepEqual([await has('attachment'), await has('image')], [true, true])
    await edit('none')
    assert.deepEqual([await has('attachment'), await has('image')], [false, false])
    await told()
    await bob.must('DELETE', `/messages/${first}`)
    assert.deepEqual(await told(), [['theirs', []]])
  })

  test('only the newest messages of a popular file are listed; an older one still gives access to it', async () => {
    const server = await parley()
    const [ann, bob] = [await server.newUser(), await server.newUser()]
    await send(ann, bob, await link(ann, 'file'))
    const [{ id, path_id }] = (await ann.must('GET', '/attachments')).attachments
    const ids = Array.from({ length: 1500 }, (_, index) => 1_000_001 + index)
    const rows = ids.map((message_id) => ({ attachment_id: id, message_id }))
    await server.inDatabase((session) => insertRows({ session }, 'attachment_message', rows))
    const [{ message_ids: listed }] = (await ann.must('GET', '/attachments')).attachments
    assert.deepEqual(listed, ids.slice(500))
    assert.equal((await bob.fetch(`/user_uploads/${path_id}`)).status, 200)
  })
  test('the used space is the sum of all sizes, even of huge ones, and of files that are deleted twice', async () => {
    const server = await parley()
    const user = await server.newUser()
    const used = async (): Promise<number> => (await user.must('GET', '/attachments')).upload_space_used
    const before = await used()
    const { url } = (await user.upload('file', 'x')).body
    const large = 3_000_000_000
    const path_id = url.replace('/user_uploads/', '')
    await server.inDatabase(async ({ knex }) => {
      await knex('attachment').where({ path_id }).update({ size: large })
      await knex('organization').increment('upload_space_used', large - 1)
    })
    assert.equal(await used(), before + large)
    await server.inDatabase(async (session) => {
      const files = new AttachmentWriter(session)
      const file = (await files.byPathId(path_id)) ?? assert.fail()
      for (let time = 0; time < 2; time += 1) await files.delete(file)
    })
    assert.equal(await used(), before)
  })
})
