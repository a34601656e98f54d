import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { environmentWithoutSettings } from '../../conformance/environment-testing.ts'
import { Ground } from '../../server/ground-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'

const COMMAND = join(import.meta.dirname, '../../scripts/admin.mjs')
/** More than the rest of the archive together, and than pipes and buffers hold. */
const UPLOAD_BYTES = 1_000_000

onEachDatabase('kill -9 during an import', (dialect) => {
  test('leaves no organization, and does not prevent another import', async (t) => {
    const ground = await Ground.make(t, dialect)
    const archive = join(ground.dataFolder, 'export.tar.gz')
    const { as, parley } = await ground.start()
    await as('member').upload('large', randomBytes(UPLOAD_BYTES).toString('latin1'))
    await parley.stop()
    await ground.run('export', archive, '--type', 'full_without_consent')

    const other = await Ground.make(t, dialect, {}, true)
    const pipe = join(other.dataFolder, 'pipe')
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
    const child = spawn(process.execPath, [COMMAND, 'import', pipe], {
      env: { ...environmentWithoutSettings(), ...other.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const told = (async () => {
      let said = ''
      for await (const text of child.stderr.setEncoding('utf8')) {
        said += text
        if (/^attachments$/m.test(said)) return
      }
      throw new Error(`it did not come to the files: ${said}`)
    })()
    const bytes = await readFile(archive)
    const writing = await open(pipe, 'w')
    await writing.writeFile(bytes.subarray(0, bytes.length - UPLOAD_BYTES / 4))
    await told
    // Everything but a part of the last file has arrived, and nothing more can come.
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    await writing.close()

    await assert.rejects(other.run('list'), /There is no organization yet/)
    assert.equal((await readdir(other.dataFolder)).includes('owner-credentials.json'), false)
    await other.run('import', archive)
    const unfinished = await readdir(join(other.dataFolder, 'uploads/unfinished'))
    assert.deepEqual([(await other.run('list')).length, unfinished], [7, []])
  })
})
