import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, test } from 'node:test'
import { DiskStore } from './disk.ts'

let folder: string
let store: DiskStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-store-'))
  store = new DiskStore(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the first half')
  throw new Error('connection lost')
}
async function listed(from = store): Promise<string[]> {
  const keys: string[] = []
  for await (const group of from.groups()) keys.push(...group.keys)
  return keys
}
const unfinished = (): Promise<string[]> => readdir(join(folder, 'unfinished'))

test('receive, keep, read in parts, remove', async () => {
  const file = await store.receive(chunks('Hello, ', 'world'))
  assert.deepEqual([file.size, Buffer.from(file.head).toString()], [12, 'Hello, world'])
  assert.match(file.key, /^[0-9a-f]{32}$/)
  assert.equal(await store.open(file.key), undefined, 'not before it is kept')
  assert.equal(await file.keep(async () => 'recorded'), 'recorded')
  const read = async (first: number, last: number) =>
    (await buffer((await store.open(file.key))?.bytes(first, last) ?? assert.fail())).toString()
  assert.deepEqual([await read(0, 11), await read(7, 7), await read(7, 11)], ['Hello, world', 'w', 'world'])
  assert.deepEqual(await listed(), [file.key])
  assert.equal((await stat(join(folder, 'files', file.key.slice(0, 2), file.key))).mode & 0o777, 0o600)
  await store.remove(file.key)
  await store.remove(file.key)
  assert.equal(await store.open(file.key), undefined)
})

test('the head is cut, the file is not', async () => {
  const file = await store.receive(chunks('a'.repeat(4000), 'b'.repeat(4000)))
  assert.deepEqual([file.size, file.head.length], [8000, 4100])
})

test('unfinished and discarded uploads leave nothing behind', async () => {
  await assert.rejects(store.receive(broken()), /connection lost/)
  const early = await store.receive(chunks('x'))
  await early.discard()
  const late = await store.receive(chunks('x'))
  await assert.rejects(
    late.keep(() => Promise.reject(new Error('no room'))),
    /no room/,
  )
  assert.deepEqual(await listed(), [late.key], 'the record may exist: it stays')
  await late.discard()
  assert.deepEqual([await unfinished(), await listed()], [[], []])
})

/** Current time of the file system, which may differ from that of this process. */
async function diskNow(): Promise<number> {
  const probe = join(folder, 'probe')
  await writeFile(probe, '')
  return (await stat(probe)).mtimeMs
}

test('a second process on the folder does not disturb the first', async () => {
  const { promise: half, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: isHalf, resolve: onHalf } = Promise.withResolvers<void>()
  const arriving = store.receive(
    (async function* () {
      yield Buffer.from('first ')
      onHalf()
      await half
      yield Buffer.from('second')
    })(),
  )
  const arrived = await store.receive(chunks('arrived'))
  await isHalf
  const aMinuteAgo = (await diskNow()) - 60_000
  const second = new DiskStore(folder)
  assert.equal(await second.removeUnfinished(aMinuteAgo), 0)
  await arrived.keep(async () => {
    assert.deepEqual([await listed(second), await listed(store)], [[arrived.key], []], 'it has no record yet')
    assert.equal(await second.removeOld(arrived.key, aMinuteAgo), false)
  })
  arrive()
  const file = await arriving
  await file.keep(async () => undefined)
  assert.equal((await buffer((await second.open(file.key))?.bytes(0, 11) ?? assert.fail())).toString(), 'first second')
})

test('uploads of this process are never old, whatever the clock says', async () => {
  const file = await store.receive(chunks('arrived'))
  assert.equal(await store.removeUnfinished(Number.POSITIVE_INFINITY), 0)
  await file.keep(async () => assert.deepEqual(await listed(), []))
  assert.deepEqual(await listed(), [file.key])
  const other = await store.receive(chunks('dropped'))
  await other.discard()
  assert.deepEqual([await unfinished(), await listed()], [[], [file.key]])
})

test('leftovers of a crash are removed once they are old', async () => {
  const [old, young] = [await store.receive(chunks('old')), await store.receive(chunks('young'))]
  const long = new Date((await diskNow()) - 120_000)
  await utimes(join(folder, 'unfinished', old.key), long, long)
  const orphan = await store.receive(chunks('orphan'))
  await orphan.keep(async () => undefined)
  await utimes(join(folder, 'files', orphan.key.slice(0, 2), orphan.key), long, long)
  const second = new DiskStore(folder)
  const aMinuteAgo = (await diskNow()) - 60_000
  assert.equal(await second.removeUnfinished(aMinuteAgo), 1)
  assert.equal(await second.removeOld(orphan.key, aMinuteAgo), true)
  assert.equal(await second.removeOld(orphan.key, aMinuteAgo), false, 'another was faster')
  assert.deepEqual([await unfinished(), await listed()], [[young.key], []])
})

test('files on hold stay, even if another process removes them', async () => {
  const files = [await store.receive(chunks('one')), await store.receive(chunks('other'))]
  for (const file of files) await file.keep(async () => undefined)
  const [one, other] = files.map(({ key }) => key) as [string, string]
  const second = new DiskStore(folder)
  const release = await store.holdFiles()
  const holds = (await readdir(join(folder, 'held'))).map((name) => join(folder, 'held', name))
  await second.remove(one)
  assert.equal(await second.removeOld(other, Number.POSITIVE_INFINITY), false)
  assert.deepEqual(await listed(), [one, other].toSorted())
  await release()
  await second.remove(one)
  assert.deepEqual(await listed(), [other])

  // The hold of a killed process soon ends.
  const [dead = ''] = holds
  await writeFile(dead, '')
  const long = new Date((await diskNow()) - 11 * 60_000)
  await utimes(dead, long, long)
  await second.remove(other)
  assert.deepEqual(await listed(), [])
})

test('an invalid key finds nothing', async () => {
  for (const key of ['', '..', '../../etc/passwd', 'A'.repeat(32), `${'a'.repeat(32)}/`]) {
    assert.equal(await store.open(key), undefined, key)
  }
})
