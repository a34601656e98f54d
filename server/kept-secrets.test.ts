import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from './admin.ts'
import { startProcess, temporaryFolder } from './process-testing.ts'
import { ApiClient, emptyDatabase, onEachDatabase } from './testing.ts'

const METRICS_TOKEN = 'token-of-the-metrics'
const PASSWORDS = ['first password of ada', 'other password of ada', 'wrong password of ada']

onEachDatabase('secrets', (dialect) => {
  test('no key, password or token is in the database, in the log or among the metrics (SEC-SECRET-1)', async (t) => {
    const dataFolder = await temporaryFolder(t)
    const { location, remove } = await emptyDatabase(dialect)
    t.after(remove)
    const DATABASE_URL = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url
    const environment = { DATABASE_URL, PARLEY_LOG_LEVEL: 'trace', PARLEY_METRICS_TOKEN: METRICS_TOKEN }
    const server = await startProcess(t, { dataFolder, environment })
    const { url, credentials } = server
    const admin = (...args: string[]) => perform(args, { PARLEY_DATA: dataFolder, DATABASE_URL }, () => undefined)

    // Everything that creates, shows or takes a secret, in successful and failing requests.
    const [first = '', other = '', wrong = ''] = PASSWORDS
    const email = 'ada@parley.example'
    await server.as('owner').must('POST', '/users', { email, password: first, full_name: 'Ada' })
    const logIn = async (password: string) =>
      (await server.as('guest').post('/fetch_api_key', { username: email, password })).body
    const login = await logIn(first)
    await logIn(wrong)
    const ada = new ApiClient(url, login)
    await ada.must('PATCH', '/settings', { old_password: first, new_password: other })
    const again = await logIn(other)
    const { api_key: regenerated } = await new ApiClient(url, again).must('POST', '/users/me/api_key/regenerate')
    const { body: upload } = await server.as('member').upload('a.txt', 'a')
    const { url: link } = await server.as('member').must('GET', upload.url)
    await server.as('member').fetch(link)
    await server.as('member').get('/messages', { api_key: again.api_key, narrow: 'no JSON' })
    await new ApiClient(url, { ...login, api_key: 'x'.repeat(32) }).get('/users/me')
    const key = /^key=(\w+)$/m.exec((await admin('reset-key', server.as('bot').email)).join('\n'))?.[1] ?? ''
    const password = /^Password: (\S+)$/m.exec((await admin('reset-password', email)).join('\n'))?.[1] ?? ''
    const door = JSON.parse(await readFile(join(dataFolder, 'operator.json'), 'utf8'))
    await fetch(`${door.url}/run`, { method: 'POST', headers: { Authorization: 'Bearer wrong-token' } })
    const shown = { Authorization: `Bearer ${METRICS_TOKEN}` }
    const { invite_link } = await server.as('owner').must('POST', '/invites/multiuse')
    const [, inviteKey = ''] = /\/join\/(\w+)$/.exec(invite_link) ?? []
    await fetch(invite_link)
    const newcomer = { email: 'bo@parley.example', full_name: 'Bo', password: first }
    await server.as('guest').must('POST', '/join', { invite_key: inviteKey, ...newcomer })
    await admin('invites')
    const metrics = await (await fetch(`${url}/metrics`, { headers: shown })).text()
    assert.match(metrics, /^parley_/m)

    const backup = join(dataFolder, 'backup')
    await admin('backup', backup)
    const secret = await readFile(join(dataFolder, 'secret'), 'utf8')
    const { stderr: log, stdout } = await server.kill('SIGTERM')
    assert.match(log, /server started/)
    const { database } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
    const places = {
      database: (await readFile(join(backup, database.file))).toString('latin1'),
      log,
      metrics,
    }
    const keys = Object.values(credentials.users).map((one) => one.api_key)
    const secrets = [...PASSWORDS, ...keys, login.api_key, again.api_key, regenerated, key, password, inviteKey]
    const others = [credentials.password, METRICS_TOKEN, door.token, secret.trim(), 'wrong-token', 'x'.repeat(32)]
    for (const [place, text] of Object.entries(places)) {
      for (const [index, one] of [...secrets, ...others].entries()) {
        assert.ok(one.length >= 6 && !text.includes(one), `secret ${index} is in the ${place}`)
      }
    }
    // The output at the start is for the operator: only the demo bot's secrets.
    const printed = [...secrets, ...others].filter((one) => stdout.includes(one))
    assert.deepEqual(printed, [credentials.users.bot?.api_key])
  })
})
