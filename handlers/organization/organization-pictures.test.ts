import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const wide = { width: 900, height: 300, channels: 3, background: 'red' } as const
const PICTURE = await sharp({ create: wide }).jpeg().toBuffer()

function upload(by: ApiClient, path: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([PICTURE as Uint8Array<ArrayBuffer>], 'icon.jpg'))
  // After the file: errors in these fields are only found once the file has arrived.
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return by.request('POST', path, {}, { body })
}

onEachDatabase('pictures of the organization', (dialect) => {
  const parley = sharedParley(dialect)

  async function registered(by: ApiClient) {
    const state = await by.must('POST', '/register', { fetch_event_types: ['realm'], event_types: [] })
    return ['icon', 'logo', 'night_logo'].map((kind) => [state[`realm_${kind}_source`], state[`realm_${kind}_url`]])
  }

  test('the logo may be chosen in the form, beside the file, or in the query', async () => {
    const server = await parley()
    const admin = server.as('admin')
    await upload(admin, '/realm/logo', { night: 'true' })
    const [, day, night] = await registered(admin)
    assert.deepEqual([day?.[0], night?.[0]], ['D', 'U'])
    assert.equal((await upload(admin, '/realm/logo?night=false')).status, 200)
    const [, present, same] = await registered(admin)
    assert.deepEqual([present?.[0], same], ['U', night])
    assert.equal((await admin.fetch('/api/v1/realm/logo')).headers.get('cache-control'), 'private, no-cache')
    const { width, height } = await sharp(await (await fetch(server.url + present?.[1])).arrayBuffer()).metadata()
    assert.deepEqual([width, height], [300, 100])
    const icon = (await upload(admin, '/realm/icon')).body.icon_url
    assert.match(icon, /^\/user_avatars\/realm\/[0-9a-f]{32}\.png\?version=\d+$/)
    const scaled = await sharp(await (await fetch(server.url + icon)).arrayBuffer()).metadata()
    assert.deepEqual([scaled.width, scaled.height, scaled.format], [100, 100, 'png'])
    await admin.must('DELETE', '/realm/icon')
    const ignored = await upload(admin, '/realm/logo', { night: 'true', dark: 'true' })
    assert.deepEqual(ignored.body.ignored_parameters_unsupported, ['dark'])
    await admin.must('DELETE', '/realm/logo', { night: true })
    await admin.must('DELETE', '/realm/logo')
  })

  test('an invalid choice changes nothing', async () => {
    const admin = (await parley()).as('admin')
    const before = await registered(admin)
    const { status, body } = await upload(admin, '/realm/logo', { night: 'perhaps' })
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
    assert.match(body.msg, /night/)
    assert.deepEqual(await registered(admin), before)
  })

  test('of several simultaneous uploads one stays, which is the last one announced', async () => {
    const server = await parley()
    const [admin, owner] = [server.as('admin'), server.as('owner')]
    const heard = await admin.listen(['realm'])
    const uploads = [admin, owner, admin].map((by) => upload(by, '/realm/icon'))
    const answers = await Promise.all([...uploads, owner.delete('/realm/icon'), upload(owner, '/realm/icon')])
    const urls = answers.map(({ body }) => body.icon_url)
    const told = (await heard()).map(({ data }) => data.icon_url)
    assert.deepEqual(told.toSorted(), urls.toSorted())
    const [[, present] = []] = await registered(admin)
    assert.equal(present, told.at(-1))
    const uploaded = urls.filter((url) => url.startsWith('/'))
    const left = await Promise.all(uploaded.map(async (url) => [(await fetch(server.url + url)).status === 200, url]))
    assert.deepEqual(
      left.filter(([isThere]) => isThere),
      present.startsWith('/') ? [[true, present]] : [],
    )
    await admin.must('DELETE', '/realm/icon')
  })
})
