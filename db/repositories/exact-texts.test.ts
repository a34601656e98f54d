import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileCleanup } from '../../server/process-testing.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import { insertRows, userRows } from '../rows-testing.ts'

onBothDatabases('texts by which clients name something', (dialect) => {
  const cleanup = fileCleanup()

  test('a trailing space makes a different name', async () => {
    const { db } = await openDatabase(cleanup, dialect)
    const bytes = Buffer.from('x')
    await db.transaction(async (tx) => {
      await insertRows(tx, 'user', userRows([1]))
      const file = { id: 1, path_id: '1/ab/a.png', file_name: 'a.png', content_type: 'image/png', size: 1, owner_id: 1 }
      await insertRows(tx, 'attachment', [{ ...file, created_at: 1, unused_since: 1 }])
      await insertRows(tx, 'image', [{ attachment_id: 1, owner_id: 1 }])
      await insertRows(tx, 'thumbnail', [{ attachment_id: 1, format: 'x.webp', bytes }])
      await insertRows(tx, 'picture', [{ path: 'emoji/a.png', bytes }])
      const emoji = { name: 'boat', file_name: 'a.png', author_id: 1, is_deactivated: false, is_animated: false }
      await insertRows(tx, 'custom_emoji', [emoji])
      const made = { export_type: 'export_public', acting_user_id: 1, requested_ms: 1, attempts: 1, file_key: 'ab' }
      await insertRows(tx, 'data_export', [made])
    })
    const { attachments, images, pictures, customEmoji, dataExports } = db.read
    const found = async (end: string): Promise<Record<string, number>> => ({
      file: (await attachments.byPathId(`1/ab/a.png${end}`)) ? 1 : 0,
      files: (await attachments.byPathIds([`1/ab/a.png${end}`, 'b'])).length,
      images: (await images.byPathIds([`1/ab/a.png${end}`])).length,
      thumbnail: (await images.thumbnail(1, `x.webp${end}`)) ? 1 : 0,
      picture: (await pictures.of(`emoji/a.png${end}`)) ? 1 : 0,
      emoji: (await customEmoji.byNames([`boat${end}`])).length,
      archive: (await dataExports.byFileKey(`ab${end}`)) ? 1 : 0,
    })
    const each = await found('')
    assert.deepEqual(new Set(Object.values(each)), new Set([1]))
    assert.deepEqual(await found(' '), Object.fromEntries(Object.keys(each).map((name) => [name, 0])))
  })
})
