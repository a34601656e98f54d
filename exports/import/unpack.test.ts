import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeArchive } from '../../server/operator/archive-testing.ts'
import { linesOf, unpacked } from './unpack.ts'

const MIB = 1024 * 1024

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const values: unknown[] = []
  for await (const { value } of linesOf({ name: 'lines', size: 0, bytes: bytes() })) values.push(value)
  return values
}

test('lines end at line breaks, wherever the pieces end', async () => {
  assert.deepEqual(await read('{"a"', ':1}\n{"b":', '""}'), [{ a: 1 }, { b: '' }])
  const bytes = Buffer.from('{"a":"é"}\n')
  assert.deepEqual(await read(bytes.subarray(0, 7), bytes.subarray(7)), [{ a: 'é' }])
  await assert.rejects(read('{}\n\n{}'), /lines line 2 is no JSON$/)
})

test('no line takes more memory than the server writes', async () => {
  const piece = new Uint8Array(MIB).fill(97)
  await assert.rejects(read('{}\n{"a":"', ...Array<Uint8Array>(65).fill(piece)), /lines line 2 is too long/)
  await assert.rejects(read(`{"a":[${'[],'.repeat(1_000_000)}[]]}`), /lines line 1 has more than 2000000 values/)
  const commas = `{"a":"${',\\"'.repeat(2_100_000)}"}`
  assert.equal((await read(commas)).length, 1)
})

test('an archive that expands too much is refused before it is read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-unpack-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'bomb.tar.gz')
  const unpack = async (isDeclared: boolean) => {
    const names: string[] = []
    for await (const { name, bytes } of unpacked(path, () => isDeclared)) {
      for await (const _ of bytes);
      names.push(name)
    }
    return names
  }
  const zeros = Buffer.alloc(45 * MIB)
  await writeArchive(path, [
    ['a', zeros],
    ['b', zeros],
  ])
  await assert.rejects(unpack(false), /The archive holds much more than its size tells: it is refused/)
  assert.deepEqual(await unpack(true), ['a', 'b'])
  await writeArchive(path, [['a', Buffer.alloc(67 * MIB)]])
  await assert.rejects(unpack(false), /"a" is too large: 70254592 bytes/)
  await writeFile(path, Buffer.alloc(1000))
  await assert.rejects(unpack(false), /The archive is no gzip, or damaged/)
})
