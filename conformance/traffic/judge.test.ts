import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runConformance } from '../run.ts'
import { sharedServer } from '../server-pool-testing.ts'
import type { PassingAnswer } from '../testing.ts'
import { type Judgement, judge, judgementText } from './judge.ts'
import { readRecording } from './recording.ts'
import { archiveOf, type RecordedEntry, recordingProxy } from './recording-testing.ts'

const server = sharedServer()
const folder = await mkdtemp(join(tmpdir(), 'traffic-'))
after(() => rm(folder, { recursive: true, force: true }))

/** The exchanges of a run of some checks, as a proxy saw them. */
let seen: readonly RecordedEntry[]
before(async () => {
  const { url, logins } = await server()
  const proxy = await recordingProxy(url)
  const only = ['effects/send-message', 'effects/update-message', 'effects/update-settings', 'reactions', 'own-events']
  const { passed } = await runConformance({ url: proxy.url, logins, only, seed: 1 })
  await proxy.close()
  assert.ok(passed)
  seen = proxy.entries
})

let files = 0
async function recordingOf(entries: readonly RecordedEntry[] | string, url?: string) {
  files += 1
  const file = join(folder, `${files}.har`)
  await writeFile(file, typeof entries === 'string' ? entries : archiveOf(entries))
  return readRecording(file, url)
}

/** The exchanges with one thing changed. */
async function judged(change: (entries: RecordedEntry[]) => void = () => {}): Promise<Judgement> {
  const entries = structuredClone([...seen])
  change(entries)
  return judge(await recordingOf(entries))
}

/** @param change gets the request line and the answer, until it returns true */
function inOne(change: (line: string, body: PassingAnswer['body']) => boolean): (entries: RecordedEntry[]) => void {
  return (entries) => {
    const found = entries.find(({ request, response }) => {
      const { content } = response
      if (!content.mimeType?.includes('json')) return false
      const body = JSON.parse(content.text ?? '')
      if (!change(`${request.method} ${new URL(request.url).pathname}`, body)) return false
      content.text = JSON.stringify(body)
      content.size = Buffer.byteLength(content.text)
      response.headers = response.headers.filter(({ name }) => name !== 'content-length')
      return true
    })
    assert.ok(found !== undefined, 'the run has such an exchange')
  }
}

function outcomesOf({ results }: Judgement): Record<string, string> {
  return Object.fromEntries(results.map(({ check, outcome }) => [check.id, outcome]))
}

const allPassed = Object.fromEntries(
  ['answers', 'ledger', 'events', 'constants', 'codes'].map((name) => [`run/${name}`, 'passed']),
)

test('recorded exchanges of a correct server pass every check', async () => {
  const judgement = await judged()
  assert.deepEqual(outcomesOf(judgement), allPassed)
  assert.ok(judgement.operations.size > 20, `${judgement.operations.size} operations`)
  assert.equal(judgement.featureLevel, 482)
})

test('a wrong answer is found', async () => {
  const faults: Record<string, (line: string, body: PassingAnswer['body']) => boolean> = {
    'run/answers': (line, body) => line === 'POST /api/v1/messages' && delete body.id,
    'run/ledger': (line, body) => {
      if (!/^GET .*\/messages\/\d+$/.test(line) || body.message === undefined) return false
      body.message.subject = 'another'
      return true
    },
    'run/events': (_, body) => {
      if (!(body.events?.length > 1)) return false
      body.events.reverse()
      return true
    },
    'run/constants': (line, body) => {
      if (!/^GET .*\/messages\/\d+$/.test(line) || body.message === undefined) return false
      body.message.timestamp += 1
      return true
    },
    'run/codes': (_, body) => {
      if (body.code !== 'BAD_REQUEST') return false
      body.code = 'STREAM_DOES_NOT_EXIST'
      return true
    },
  }
  for (const [id, change] of Object.entries(faults)) {
    // Somebody whom the recording does not show may have written it.
    const expected = id === 'run/ledger' ? 'deviation' : 'failed'
    assert.equal(outcomesOf(await judged(inOne(change)))[id], expected, id)
  }
})

test('an empty answer is judged', async () => {
  const { results } = await judged((entries) => {
    const { response } = entries.find(({ request }) => request.url.endsWith('/users/me')) ?? assert.fail()
    response.content = { size: 0, mimeType: 'application/json', text: '' }
    response.headers = response.headers.filter(({ name }) => name !== 'content-length')
  })
  assert.equal(results.find(({ check }) => check.id === 'run/answers')?.outcome, 'failed')
})

test('no credentials are kept', async () => {
  const { logins } = await server()
  const kept = JSON.stringify((await recordingOf(seen)).exchanges)
  assert.ok(JSON.stringify(seen).includes('"api_key'))
  for (const { apiKey } of logins) {
    assert.ok(!kept.includes(apiKey))
    assert.ok(!kept.includes(Buffer.from(`:${apiKey}`).toString('base64').slice(4, -4)))
  }
  const apart = seen.filter(({ request }) => !request.url.endsWith('/openapi.json')) // which has examples
  const secrets = apart.flatMap(({ request, response }) => {
    const texts = `${request.postData?.text ?? ''} ${response.content.text}`
    return [...texts.matchAll(/(?:api_key":"|password=)(\w{8,})/g)].map(([, value = '']) => value)
  })
  assert.ok(secrets.length > 1, `${secrets.length} keys and passwords in the recording`)
  for (const secret of secrets) assert.ok(!kept.includes(secret))
})

test('all forms of credentials are masked', async () => {
  const [entry] = structuredClone([...seen])
  assert.ok(entry)
  const answer = {
    result: 'success',
    api_key: 'SECRET"1',
    bots: [{ services: [{ token: 'пароль SECRET' }] }],
    link_url: 'https://chat.example/join/SECRET',
    url: '/user_uploads/temporary/SECRET/a.txt',
    payload_url: 'https://me:SECRET@example.com/?x=1&api_key=SECRET',
    config_data: { key: 'SECRET' },
    content: '<a href="https://example.com/in?a=1&amp;webhook_token=SECRET&amp;b=2">',
    email: `a.${'SECRET'.repeat(6).slice(0, 32)}.b@c.example`,
  }
  entry.request = {
    method: 'POST',
    url: `${entry.request.url.replace(/\/api.*/, '')}/api/v1/bots?api%5Fkey=SECRET&x=1`,
    headers: [{ name: 'Authorization', value: `Basic ${Buffer.from('SECRET').toString('base64')}` }],
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      text: String(
        new URLSearchParams({ password: '!SECRET!', config_data: '{"a":"SECRET"}', more: '{"token":"SECRET"}' }),
      ),
    },
  }
  const text = JSON.stringify(answer)
  const headers = [
    { name: 'X-Api-Key', value: 'SECRET' },
    { name: 'a b', value: 'a\nb' },
  ]
  entry.response = {
    status: 200,
    headers,
    content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
  }
  const [exchange] = (await recordingOf([entry])).exchanges
  const shown = JSON.stringify([exchange, exchange?.headers.get('x-api-key')])
  assert.ok(!shown.includes('SECRET'), shown)
  assert.equal(exchange?.request.path, '/api/v1/bots?api_key=xxxxxx&x=1')
  assert.equal(exchange?.body.api_key, 'xxxxxxxx')
  assert.match(exchange?.body.content, /webhook_token=x{6}&amp;b=2"/)
})

test('without credentials all exchanges belong to one person', async () => {
  const mine = seen.find(({ request }) => request.url.endsWith('/users/me'))?.request.headers
  const key = mine?.find(({ name }) => name === 'authorization')?.value
  const judgement = await judged((entries) => {
    for (const { request } of entries) {
      const isTheirs = request.headers.some(({ value }) => value === key)
      request.headers = request.headers.filter(({ name }) => name !== 'authorization')
      if (!isTheirs) request.url = request.url.replace('/api/v1/', '/elsewhere/')
    }
  })
  assert.deepEqual([...judgement.notJudged.keys()], ['not below /api/v1/'])
  assert.equal(outcomesOf(judgement)['run/answers'], 'passed')
})

test('skipped exchanges are counted by reason', async () => {
  const other = (change: (entry: RecordedEntry) => void, path = '/users/me'): RecordedEntry => {
    const entry = structuredClone(seen.find(({ request }) => request.url.endsWith(path)))
    assert.ok(entry)
    change(entry)
    return entry
  }
  const judgement = await judged((entries) => {
    entries.push(
      other((one) => (one.request.url = 'https://elsewhere.example/api/v1/users/me')),
      other((one) => (one.request.url = one.request.url.replace('/api/v1/', '/json/'))),
      other((one) => (one.request.url = one.request.url.replace('/users/me', '/nothing/here'))),
      other((one) => (one.response.status = 0)),
      other((one) => (one.response.status = 304)),
      other((one) => delete one.response.content.text),
      other((one) => (one.response.content.size += 1)),
      other((one) => (one.response.content.text = '')),
      other((one) => (one.response.status = 307)),
      other((one) => Object.assign(one.request, { url: 'https://elsewhere.example', postData: { text: '' } })),
      other((one) => Object.assign(one, { _fromCache: 'disk' })),
      other((one) => Object.assign(one, { _error: 'net::ERR_ABORTED' })),
      other((one) => {
        const { content } = one.response
        content.text = Buffer.from(content.text ?? '').toString('base64')
        content.encoding = 'base64'
      }),
      other((one) => {
        const stranger = Buffer.from('stranger@example.com:key').toString('base64')
        one.request.headers = [{ name: 'Authorization', value: `Basic ${stranger}` }]
      }, '/server_settings'),
    )
  })
  const counts = [...judgement.notJudged].map(([reason, count]) => `${count} ${reason}`)
  assert.deepEqual(counts.toSorted(), [
    // The suite reads /metrics, too.
    '1 at an address that the contract does not describe',
    '1 by callers whose user_id is unknown, as to what they have written',
    ...['1 redirected', '1 to another server', '1 without what an entry needs', '2 from the cache of the client'],
    ...['2 not below /api/v1/', '2 without an answer', '3 without the whole answer'],
  ])
  const lines = judgementText(await recordingOf(seen), judgement)
  assert.match(lines, /^not judged: 3 without the whole answer$/m)
  assert.equal(outcomesOf(judgement)['run/answers'], 'passed')
})

test('an unusable file is refused with the reason', async () => {
  const withoutUrl = structuredClone(seen[0]) as { request: { url?: string } }
  delete withoutUrl.request.url
  const refused: [entries: string | readonly RecordedEntry[], reason: RegExp, url?: string][] = [
    ['no JSON', /\.har is not an HTTP archive \(HAR 1\.2\): it is not JSON$/],
    ['{"log": {}}', /: \/log must have required property 'entries'$/],
    [archiveOf([withoutUrl as RecordedEntry]), /has no request below \/api\/v1\/$/],
    [archiveOf([]), /has no request below \/api\/v1\/$/],
    [seen, /has no answer of https:\/\/chat\.example to judge: \d+ to another server$/, 'https://chat.example'],
  ]
  for (const [entries, reason, url] of refused) {
    await assert.rejects(
      recordingOf(entries, url),
      (err: Error) => err.name === 'CannotRunError' && reason.test(err.message),
    )
  }
  const silent = seen.filter(({ response }) => !response.content.text?.includes('zulip_feature_level'))
  await assert.rejects(async () => judge(await recordingOf(silent)), /no recorded answer states the feature level/)
  const old = structuredClone([...seen])
  for (const { response } of old) {
    const { content } = response
    content.text = (content.text ?? '').replace(/"zulip_feature_level":\d+/, '"zulip_feature_level":262')
  }
  await assert.rejects(
    async () => judge(await recordingOf(old)),
    /at feature level 262, and the suite tests servers of level 263/,
  )
})
