import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import Koa from 'koa'
import { Database } from '../db/database.ts'
import { OrganizationWriter } from '../db/repositories/organizations.ts'
import { perform } from './admin.ts'
import { embeddedConfig } from './config.ts'
import { createOpenParley, createParley } from './create-parley.ts'
import { DataFolderError } from './data-folder.ts'
import { WrongSecretError } from './server-secrets.ts'
import { ApiClient } from './testing.ts'

async function inFolder(work: (dataFolder: string) => Promise<void>): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  try {
    await work(dataFolder)
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}

test('keep keys and messages between embedded runs', () =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', checkAnswers: true })
    const first = await createParley(config)
    const { url, credentials } = await first.start({ port: 0 })
    assert.ok(credentials?.users.member)
    const member = new ApiClient(url, credentials.users.member)
    const { id } = await member.must('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content: 'b' })
    await first.stop()

    const second = await createParley(config)
    const again = await second.start({ port: 0 })
    assert.equal(again.credentials?.base_url, again.url)
    const { message } = await new ApiClient(again.url, credentials.users.member).must('GET', `/messages/${id}`)
    assert.equal(message.content, '<p>b</p>')
    await second.stop()
  }))

test('take over the jobs of a killed process', () =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    for (const isFree of [undefined, true]) {
      const { inside, stop } = await createOpenParley(config)
      assert.equal(await inside.db.read.jobLeases.isFreeFor('', 'a-job', 60), isFree)
      await inside.db.transaction((tx) => tx.jobLeases.take('killed', 'a-job', 60))
      await stop()
    }
  }))

test('run inside another Koa application', () =>
  inFolder(async (dataFolder) => {
    const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' }))
    const own = new Koa()
    own.use((ctx, next) => {
      if (ctx.path !== '/own') return next()
      ctx.body = 'mine'
      return undefined
    })
    for (const middleware of parley.app.middleware) own.use(middleware)
    const server = createServer(own.callback()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    assert.equal(await (await fetch(`${url}/own`)).text(), 'mine')
    const settings = (await (await fetch(`${url}/api/v1/server_settings`)).json()) as { zulip_feature_level: number }
    assert.equal(settings.zulip_feature_level, 482)
    const users = await perform(['list', '--json'], { PARLEY_DATA: dataFolder }, () => undefined)
    assert.match(users.join(''), /owner@parley\.example/)
    server.close()
    server.closeAllConnections()
    await parley.stop()
  }))

test('finish the requests of another server before they stop', (t) =>
  inFolder(async (dataFolder) => {
    const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' }))
    const server = createServer(parley.app.callback()).listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    await once(server, 'listening')
    const { users } = JSON.parse(await readFile(join(dataFolder, 'owner-credentials.json'), 'utf8'))
    const client = request({
      port: (server.address() as AddressInfo).port,
      method: 'POST',
      path: '/api/v1/messages',
      auth: `${users.owner.email}:${users.owner.api_key}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    client.write('type=direct&to=[1]&')
    await once(server, 'request')
    const stopped = parley.stop()
    client.end('content=late')
    const [answer] = await once(client, 'response')
    assert.equal(answer.statusCode, 200)
    answer.resume()
    await stopped
  }))

test('start on another port if one is taken, and end a start that a stop overtakes', () =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const first = await createParley(config)
    await assert.rejects(first.start({ port: (other.address() as AddressInfo).port }), { code: 'EADDRINUSE' })
    other.close()
    const { url } = await first.start({ port: 0 })
    assert.equal((await fetch(`${url}/api/v1/server_settings`)).status, 200)
    await first.stop()
    const second = await createParley(config)
    const refused = assert.rejects(second.start({ port: 0 }), /stopped before it listened/)
    await second.stop()
    await refused
  }))

test('refuse a data folder that another server of this process uses', () =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    const first = await createParley(config)
    await assert.rejects(createParley(config), DataFolderError)
    await first.stop()
    const second = await createParley(config)
    await second.stop()
  }))

test('refuse PARLEY_UPLOADS without the uploads of the organization', () =>
  inFolder(async (dataFolder) => {
    const made = { dataFolder, logLevel: 'error', organization: 'empty' } as const
    await (await createParley(embeddedConfig(made))).stop()
    const elsewhere = embeddedConfig({ ...made, filesFolder: join(dataFolder, 'elsewhere') })
    const reason = await createParley(elsewhere).then((parley) => parley.stop(), String)
    assert.match(String(reason), /The uploads of this organization are not in .*elsewhere/)
    assert.ok(!(await readdir(dataFolder)).includes('elsewhere'))
  }))

test('refuse a database file that another server uses from its own data folder', () =>
  inFolder(async (dataFolder) => {
    const made = { logLevel: 'error', organization: 'empty', secret: 's'.repeat(32) } as const
    const first = await createParley(embeddedConfig({ ...made, dataFolder }))
    const database = { kind: 'sqlite', file: join(dataFolder, 'parley.sqlite'), synchronous: 'FULL' } as const
    const other = embeddedConfig({ ...made, dataFolder: join(dataFolder, 'other'), database })
    try {
      await assert.rejects(createParley(other), /parley\.sqlite is in use by another Parley/)
    } finally {
      await first.stop()
    }
    await (await createParley(other)).stop()
  }))

test('refuse another secret than that of the database', () =>
  inFolder(async (dataFolder) => {
    const made = { dataFolder, logLevel: 'error', organization: 'empty' } as const
    const [secret, other] = ['the secret of this organization, for ever', 'another one, which is just as long']
    await (await createParley(embeddedConfig({ ...made, secret }))).stop()
    await assert.rejects(createParley(embeddedConfig({ ...made, secret: other })), WrongSecretError)
    await assert.rejects(createParley(embeddedConfig(made)), WrongSecretError)
    assert.ok(!(await readdir(dataFolder)).includes('secret'), 'it made a secret that is of no use')
    await writeFile(join(dataFolder, 'secret'), `${secret}\n`)
    await (await createParley(embeddedConfig(made))).stop()
    await assert.rejects(createParley(embeddedConfig({ ...made, secret: other })), /unset PARLEY_SECRET/)
  }))

test('refuse a secret file that is too short to make an organization with', () =>
  inFolder(async (dataFolder) => {
    await writeFile(join(dataFolder, 'secret'), '\n')
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    await assert.rejects(createParley(config), /secret has less than 32 characters: remove it/)
    assert.ok(!(await readdir(dataFolder)).some((name) => name.includes('credentials')))
  }))

test('remove unfinished files of a killed process', () =>
  inFolder(async (dataFolder) => {
    await writeFile(join(dataFolder, 'demo-credentials.json.1.abcd.new'), 'a key')
    const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' }))
    assert.deepEqual(
      (await readdir(dataFolder)).filter((name) => name.endsWith('.new')),
      [],
    )
    await parley.stop()
  }))

test('credentials of a start that was killed count if its organization was committed, and are removed if not', () =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    const first = await createOpenParley(config)
    const { uuid } = first.inside.db.read.organization
    await first.stop()
    const file = join(dataFolder, 'owner-credentials.json')
    const kept = await readFile(file, 'utf8')
    await rename(file, `${file}.${uuid}`)
    for (const name of [`demo-credentials.json.${randomUUID()}`, 'owner-credentials.json.mine']) {
      await writeFile(join(dataFolder, name), 'keys')
    }
    await (await createParley(config)).stop()
    assert.equal(await readFile(file, 'utf8'), kept)
    const names = (await readdir(dataFolder)).filter((name) => name.includes('credentials'))
    assert.deepEqual(names.sort(), ['owner-credentials.json', 'owner-credentials.json.mine'])
  }))

test('a start that cannot commit its organization leaves no credentials under their name', (t) =>
  inFolder(async (dataFolder) => {
    const config = embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' })
    const insert = t.mock.method(OrganizationWriter.prototype, 'insert', () => Promise.reject(new Error('killed')))
    await assert.rejects(createParley(config), /killed/)
    insert.mock.restore()
    assert.ok(!(await readdir(dataFolder)).includes('owner-credentials.json'))
    await (await createParley(config)).stop()
    const names = (await readdir(dataFolder)).filter((name) => name.includes('credentials'))
    assert.deepEqual(names, ['owner-credentials.json'])
  }))

test('listen on loopback only if every caller may do everything (SEC-HTTP-14)', () =>
  inFolder(async (dataFolder) => {
    const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', hasDevelopmentLogin: true }))
    await assert.rejects(parley.start({ port: 0, host: '0.0.0.0' }), /PARLEY_DEVELOPMENT_LOGIN.*loopback/)
    await parley.stop()
  }))

test('create only an owner in an empty organization', () =>
  inFolder(async (dataFolder) => {
    const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', organization: 'empty' }))
    const { url, credentials } = await parley.start({ port: 0 })
    assert.deepEqual(Object.keys(credentials?.users ?? {}), ['owner'])
    assert.ok(credentials?.users.owner)
    const owner = new ApiClient(url, credentials.users.owner)
    assert.equal((await owner.must('GET', '/users')).members.length, 1)
    assert.deepEqual((await owner.must('GET', '/streams')).streams, [])
    await parley.stop()
  }))

test('leave no stopped server in memory', () =>
  inFolder(async (dataFolder) => {
    // queryObjects collects garbage first.
    const held = (): number => queryObjects(Database as unknown as new () => Database, { format: 'count' }) as number
    const before = held()
    for (let count = 0; count < 4; count += 1) {
      const parley = await createParley(embeddedConfig({ dataFolder, logLevel: 'error', checkAnswers: true }))
      await parley.start({ port: 0 })
      await assert.rejects(parley.start({ port: 0 }), /is started once/)
      await parley.stop()
    }
    // The last one may still be on the stack.
    assert.ok(held() <= before + 1, `${before} before, ${held()} afterwards`)
  }))
