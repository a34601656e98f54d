import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ExportedRowReader } from '../../db/repositories/exported-rows.ts'
import { Ground } from '../ground-testing.ts'
import { onEachDatabase } from '../testing.ts'
import { archiveAt } from './archive-testing.ts'

onEachDatabase('operators’ exports', (dialect) => {
  test('contain what their type says, with and without a running server', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { as, parley } = await ground.start()
    const { url } = (await as('member').upload('a.txt', 'bytes of a file')).body
    const upload = async (name: string, text: string) => (await as('member').upload(name, text)).body.url
    const [empty, damaged] = [await upload('empty.txt', ''), await upload('damaged.txt', 'bytes')]
    const [key = ''] = /[0-9a-f]{32}/.exec(damaged) ?? []
    await truncate(join(ground.dataFolder, 'uploads/files', key.slice(0, 2), key), 3)
    const [open, closed] = [`for everybody [a](${url}) [b](${empty}) [c](${damaged})`, 'for the owner']
    await as('member').must('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content: open })
    await as('member').must('POST', '/messages', { type: 'direct', to: [as('owner').userId], content: closed })
    const [first, second] = [join(ground.dataFolder, '1.tar.gz'), join(ground.dataFolder, '2.tar.gz')]
    assert.match((await ground.run('export', first)).join(), /^.*1\.tar\.gz is the whole archive: \d+ bytes/)
    assert.equal((await stat(first)).mode & 0o777, 0o600)
    const files = await archiveAt(first)
    assert.equal(JSON.parse(String(files.get('export.json'))).export_type, 'public')
    const bytes = [url, empty, damaged].map((path) => files.get(path.replace('/user_uploads/', 'uploads/'))?.toString())
    assert.deepEqual(bytes, ['bytes of a file', '', undefined])
    const texts = (archive: ReadonlyMap<string, Buffer>) => String(archive.get('messages/000001.jsonl'))
    assert.ok(texts(files).includes('for everybody') && !texts(files).includes(closed))
    await parley.stop()
    await ground.run('export', second, '--type', 'full_without_consent')
    assert.ok(texts(await archiveAt(second)).includes(closed))
  })

  test('are complete or missing', async (t) => {
    const ground = await Ground.make(t, dialect)
    const file = join(ground.dataFolder, 'export.tar.gz')
    const uploads = join(ground.dataFolder, 'uploads')
    // As after a first start that was killed.
    await mkdir(uploads)
    await assert.rejects(ground.run('export', file), /There is no organization yet/)
    await (await ground.start()).parley.stop()
    await rename(uploads, `${uploads}-elsewhere`)
    await assert.rejects(ground.run('export', file), /The uploads of this organization are not in .*set PARLEY_UPLOADS/)
    await rename(`${uploads}-elsewhere`, uploads)
    const { parley } = await ground.start()
    await assert.rejects(
      ground.run('export', file, '--type', 'all'),
      /There is no type all: public, full_with_consent, /,
    )
    const messages = t.mock.method(ExportedRowReader.prototype, 'messages', () => {
      throw new Error('the disk is full')
    })
    await assert.rejects(ground.run('export', file), /the disk is full/)
    const left = (await readdir(ground.dataFolder)).filter((name) => name.startsWith('export.'))
    assert.deepEqual(left, [])
    messages.mock.restore()
    const both = await Promise.all([ground.run('export', file), ground.run('export', file)])
    const { size } = await stat(file)
    assert.ok(both.some(([line = '']) => line.includes(` ${size} bytes`)))
    await archiveAt(file)
    await writeFile(file, 'mine')
    await assert.rejects(ground.run('export', file), /is there already/)
    assert.equal(await readFile(file, 'utf8'), 'mine')
    await parley.stop()
  })
})
