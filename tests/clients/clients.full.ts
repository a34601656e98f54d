/** Existing, unmodified clients of this API against a server process: their requests are their own, not ours. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import zulip from 'zulip-js'
import { judge } from '../../conformance/traffic/judge.ts'
import { readRecording } from '../../conformance/traffic/recording.ts'
import { archiveOf, recordingProxy } from '../../conformance/traffic/recording-testing.ts'
import { FEATURE_LEVEL, ZULIP_VERSION } from '../../domain/versions.ts'
import packageJson from '../../package.json' with { type: 'json' }
import {
  fileCleanup,
  type ServerProcess,
  startProcess,
  temporaryFolder,
  untilParked,
} from '../../server/process-testing.ts'
import type { Answer, Parameters } from '../../server/testing.ts'
import {
  PYTHON,
  PythonProcess,
  pythonCommand,
  pythonVersion,
  rcFile,
  withoutOwnConfiguration,
  withPython,
} from './testing.ts'

const { 'zulip-js': zulipJsVersion } = packageJson.devDependencies

const file = fileCleanup()
let server: ServerProcess
let folder: string
before(async () => {
  folder = await temporaryFolder(file)
  server = await startProcess(file, { dataFolder: join(folder, 'data') })
})

/** The account's address and id. */
function login(key: string): { email: string; user_id: number } {
  const found = server.credentials.users[key]
  assert.ok(found)
  return found
}

/** Returns a function that waits for this many messages to the member. */
async function listen(): Promise<(count: number) => Promise<Answer['body'][]>> {
  const { until } = await server.as('member').listen(['message'])
  return async (count) => (await until((events) => events.length >= count)).map(({ message }) => message)
}

describe(`PyPI zulip ${pythonVersion('zulip')}`, withPython, () => {
  /** Calls methods of one zulip.Client, one after the other. */
  async function python(t: { after(clean: () => void): void }, key: string, url = server.url) {
    const at = { ...server, credentials: { ...server.credentials, base_url: url } }
    const client = new PythonProcess(
      t,
      [join(import.meta.dirname, 'programs/call.py'), await rcFile(at, folder, key)],
      folder,
    )
    const greeting = await client.next()
    const call = async (method: string, positional: unknown[] = [], named: object = {}): Promise<Answer['body']> => {
      client.child.stdin?.write(`${JSON.stringify([method, positional, named])}\n`)
      return client.next()
    }
    const must = async (method: string, ...args: [unknown[]?, object?]): Promise<Answer['body']> => {
      const answer = await call(method, ...args)
      assert.equal(answer.result, 'success', `${method}: ${JSON.stringify(answer)}`)
      return answer
    }
    return { greeting, call, must }
  }

  test('log in and look around', async (t) => {
    const { greeting, must } = await python(t, 'member')
    const { methods: _, ...versions } = greeting
    assert.deepEqual(versions, { feature_level: FEATURE_LEVEL, zulip_version: ZULIP_VERSION })
    const settings = await must('get_server_settings')
    assert.deepEqual([settings.realm_url, settings.zulip_feature_level], [server.url, FEATURE_LEVEL])
    const profile = await must('get_profile')
    assert.deepEqual([profile.email, profile.user_id], [login('member').email, login('member').user_id])
    for (const method of ['get_members', 'get_users']) {
      const { members } = await must(method)
      const ids = members.map((user: { user_id: number }) => user.user_id)
      assert.deepEqual(
        ids.toSorted(),
        Object.values(server.credentials.users)
          .map((user) => user.user_id)
          .toSorted(),
      )
    }
    const { streams } = await must('get_streams')
    assert.deepEqual(streams.map((channel: { name: string }) => channel.name).toSorted(), ['engineering', 'general'])
    const { subscriptions } = await must('get_subscriptions')
    assert.equal(subscriptions.length, 2)
  })

  test('record exchanges that the suite judges to be correct', async (t) => {
    const proxy = await recordingProxy(server.url)
    t.after(() => proxy.close())
    const { call, must } = await python(t, 'member2', proxy.url)
    await must('get_server_settings')
    await must('get_profile')
    const { queue_id, last_event_id } = await must('register', [], { event_types: ['message', 'reaction'] })
    const { id } = await must('send_message', [{ type: 'stream', to: 'general', subject: 'recorded', content: 'one' }])
    await must('update_message', [{ message_id: id, content: 'two' }])
    await must('add_reaction', [{ message_id: id, emoji_name: 'smile' }])
    await must('get_messages', [{ anchor: id, num_before: 5, num_after: 0, narrow: [] }])
    await must('get_events', [], { queue_id, last_event_id })
    await call('get_message_history', [-1])
    const file = join(folder, 'python.har')
    await writeFile(file, archiveOf(proxy.entries))
    const { results, notJudged } = await judge(readRecording(file))
    const outcomes = results.map(({ check, outcome }) => [check.id, outcome])
    assert.deepEqual(
      outcomes.filter(([, outcome]) => outcome !== 'passed'),
      [],
    )
    assert.deepEqual([...notJudged], [])
  })

  test('refuse a wrong key', async (t) => {
    const file = join(folder, 'zuliprc-wrong')
    await writeFile(file, `[api]\nemail=${login('member').email}\nkey=${'x'.repeat(32)}\nsite=${server.url}\n`)
    const client = new PythonProcess(t, [join(import.meta.dirname, 'programs/call.py'), file], folder)
    await client.next()
    client.child.stdin?.write('["get_profile", [], {}]\n')
    const { result, code } = await client.next()
    assert.deepEqual([result, code], ['error', 'INVALID_API_KEY'])
  })

  test('send to a channel and to people, and receive their own messages with flags', async (t) => {
    const { must } = await python(t, 'member')
    const { queue_id, last_event_id } = await must('register', [], { event_types: ['message'] })
    const content = 'from **Python**, 日本語 & "quotes"'
    const { id } = await must('send_message', [{ type: 'stream', to: 'general', subject: 'python', content }])
    const direct = async (to: unknown): Promise<number> =>
      (await must('send_message', [{ type: 'private', to, content: 'psst' }])).id
    const byEmail = await direct([login('member2').email])
    const byId = await direct([login('member2').user_id, login('owner').user_id])
    const byAddressAlone = await direct(login('admin').email)

    const { events } = await must('get_events', [], { queue_id, last_event_id })
    const seen = events.map(({ type, flags, message }: Answer['body']) => [type, flags, message.id, message.type])
    assert.deepEqual(seen, [
      ['message', [], id, 'stream'],
      ['message', [], byEmail, 'private'],
      ['message', [], byId, 'private'],
      ['message', [], byAddressAlone, 'private'],
    ])
    const [first] = events
    assert.deepEqual([first.message.subject, first.message.display_recipient], ['python', 'general'])
    assert.equal(first.message.content, content)
    assert.equal(first.message.client, 'ZulipPython')
    const people = events[2].message.display_recipient.map((user: { id: number }) => user.id)
    assert.deepEqual(people.toSorted(), ['owner', 'member', 'member2'].map((key) => login(key).user_id).toSorted())

    const raw = await must('get_raw_message', [id])
    assert.deepEqual([raw.raw_content, raw.message.id], [content, id])
    const range = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }
    const find = async (narrow: unknown): Promise<number[]> => {
      const { messages } = await must('get_messages', [{ ...range, narrow }])
      return messages.map((message: { id: number }) => message.id)
    }
    const pairs = [
      ['stream', 'general'],
      ['topic', 'python'],
    ]
    assert.deepEqual(await find(pairs), [id])
    assert.deepEqual(await find([['pm-with', login('member2').email]]), [byEmail])
    assert.deepEqual(await find([{ operator: 'sender', operand: login('member').email }, ...pairs]), [id])

    assert.deepEqual((await must('deregister', [queue_id])).msg, '')
  })

  test('report errors from the fields that they read', async (t) => {
    const { call } = await python(t, 'member')
    const queue = '00000000-0000-0000-0000-000000000000'
    const gone = await call('get_events', [], { queue_id: queue, last_event_id: 0 })
    assert.deepEqual([gone.result, gone.code, gone.queue_id], ['error', 'BAD_EVENT_QUEUE_ID', queue])
    const lost = await call('send_message', [{ type: 'stream', to: 'no such channel', subject: 'x', content: 'x' }])
    assert.deepEqual([lost.result, lost.code, lost.stream], ['error', 'STREAM_DOES_NOT_EXIST', 'no such channel'])
  })

  test('react to a message that arrives while they wait', async (t) => {
    const messages = await listen()
    await untilParked(server.url, 0) // those of earlier tests are gone
    const loop = new PythonProcess(
      t,
      [join(import.meta.dirname, 'programs/react.py'), await rcFile(server, folder, 'bot')],
      folder,
    )
    await untilParked(server.url, 1)
    const message = { type: 'stream', to: 'general', topic: 'loop', content: 'are you there?' }
    const { id } = await server.as('member').must('POST', '/messages', message)
    const received = await loop.next()
    assert.deepEqual([received.id, received.sender_email], [id, login('member').email])
    const seen = await messages(2)
    assert.deepEqual([seen[1].sender_id, seen[1].subject], [login('bot').user_id, 'loop'])
    assert.match(seen[1].content, new RegExp(`received ${id}`))
    const own = await loop.next()
    assert.equal(own.id, seen[1].id, 'the loop goes on with its own answer')
  })

  test('upload a file, share it, and read it like others', async (t) => {
    const path = join(folder, 'Größe (1).txt')
    await writeFile(path, 'from Python\n')
    const script = join(import.meta.dirname, 'programs/upload.py')
    const answer = await new PythonProcess(t, [script, await rcFile(server, folder, 'member'), path], folder).next()
    assert.equal(answer.result, 'success', JSON.stringify(answer))
    assert.deepEqual([answer.filename, answer.uri], ['Größe (1).txt', answer.url])
    assert.match(answer.url, /^\/user_uploads\/1\/\w{32}\/Größe-1\.txt$/)
    const { must } = await python(t, 'member')
    const reader = server.as('member2')
    assert.equal((await reader.fetch(answer.url)).status, 404)
    await must('send_message', [{ type: 'private', to: [login('member2').email], content: `[it](${answer.uri})` }])
    // With credentials, like the terminal client; and by a link without them, like mobile clients.
    assert.equal(await (await reader.fetch(answer.url)).text(), 'from Python\n')
    const { url } = await reader.must('GET', answer.url)
    assert.equal(await (await fetch(server.url + url)).text(), 'from Python\n')
    const { attachments } = await must('get_attachments')
    assert.equal(attachments.length, 1)
  })

  test('send with the zulip-send command', async () => {
    const messages = await listen()
    const zulipSend = async (...args: string[]): Promise<void> => {
      const options = { env: withoutOwnConfiguration() }
      const command = [pythonCommand('zulip-send'), '--config-file', await rcFile(server, folder, 'bot')]
      await promisify(execFile)(PYTHON ?? '', [...command, ...args], options)
    }
    await zulipSend('--stream', 'general', '--subject', 'command line', '-m', 'to all')
    await zulipSend(login('member').email, login('member2').email, '-m', 'to two')
    const seen = await messages(2)
    assert.deepEqual(
      seen.map((message) => [message.type, message.subject, message.sender_id]),
      [
        ['stream', 'command line', login('bot').user_id],
        ['private', '', login('bot').user_id],
      ],
    )
    assert.equal(seen[1].display_recipient.length, 3)
  })

  test("run README's bot as printed", async (t) => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
    const program = /^```python\n(.*?)^```$/ms.exec(readme)?.[1]
    assert.ok(program, 'README.md has no block of Python')
    const home = await temporaryFolder(t)
    const [, rc] = await server.prints(/^A zuliprc for the demo bot:\n\n(.*?\nsite=.*?)\n\n/ms)
    await writeFile(join(home, 'zuliprc'), rc ?? '')
    await writeFile(join(home, 'bot.py'), program)

    await untilParked(server.url, 0)
    const bot = new PythonProcess(t, ['bot.py'], home)
    const failed = bot.next().then(() => Promise.reject(new Error('the bot printed something')))
    failed.catch(() => undefined) // it is killed at the end
    await Promise.race([untilParked(server.url, 1), failed])
    const messages = await listen()
    const answered = async (message: Parameters): Promise<Answer['body']> => {
      const { id } = await server.as('member').must('POST', '/messages', message)
      const seen = await Promise.race([messages(2), failed])
      assert.equal(seen[0].id, id)
      return seen[1]
    }
    const inChannel = await answered({ type: 'stream', to: 'general', topic: 'robots', content: 'ping, please' })
    assert.deepEqual(
      [inChannel.sender_id, inChannel.display_recipient, inChannel.subject, inChannel.content],
      [login('bot').user_id, 'general', 'robots', 'pong'],
    )
    const direct = await answered({ type: 'direct', to: [login('bot').user_id], content: 'ping' })
    assert.deepEqual([direct.sender_id, direct.type, direct.content], [login('bot').user_id, 'private', 'pong'])
    const group = ['bot', 'member', 'member2'].map((key) => login(key).user_id)
    const toAll = await answered({ type: 'direct', to: group, content: 'ping' })
    assert.deepEqual(toAll.display_recipient.map(({ id }: { id: number }) => id).toSorted(), group.toSorted())
  })
})

describe(`npm zulip-js ${zulipJsVersion}`, () => {
  const byKey = (key: string) => {
    const { email: username, api_key: apiKey } = server.credentials.users[key] ?? assert.fail()
    return zulip({ username, apiKey, realm: server.url })
  }

  test('log in with a key, a password and a zuliprc', async () => {
    const { email: username, api_key: apiKey, user_id } = server.credentials.users.member ?? assert.fail()
    const { password } = server.credentials
    const clients = [
      await zulip({ username, apiKey, realm: server.url }),
      await zulip({ username, password, realm: server.url }),
      await zulip({ zuliprc: await rcFile(server, folder, 'member') }),
    ]
    for (const client of clients) {
      assert.equal(client.config.apiKey, apiKey)
      const profile = await client.users.me.getProfile()
      assert.deepEqual([profile.result, profile.user_id, profile.email], ['success', user_id, username])
    }
    const wrong = await zulip({ username, password: `${password}!`, realm: server.url })
    assert.equal(wrong.config.apiKey, undefined)
  })

  test('send, receive the event, read history', async () => {
    const client = await byKey('member')
    const { queue_id, last_event_id, result } = await client.queues.register({ event_types: ['message'] })
    assert.equal(result, 'success')
    const content = 'from *JavaScript*, 日本語\nsecond line'
    const sent = await client.messages.send({ type: 'stream', to: 'general', topic: 'js', content })
    assert.equal(sent.result, 'success', JSON.stringify(sent))
    const direct = await client.messages.send({ type: 'private', to: [login('member2').user_id], content: 'psst' })
    assert.equal(direct.result, 'success', JSON.stringify(direct))
    // As in its examples: an address alone, and the old name of the topic.
    const old = await client.callEndpoint('/messages', 'POST', {
      type: 'stream',
      to: 'general',
      subject: 'js',
      content,
    })
    assert.equal(old.result, 'success', JSON.stringify(old))

    const { events } = await client.events.retrieve({ queue_id, last_event_id, dont_block: false })
    assert.deepEqual(
      events.map(({ type, flags, message }: Answer['body']) => [type, flags, message.id, message.subject]),
      [
        ['message', [], sent.id, 'js'],
        ['message', [], direct.id, ''],
        ['message', [], old.id, 'js'],
      ],
    )
    assert.equal(events[0].message.content, content)

    const narrow = [
      { operator: 'channel', operand: 'general' },
      { operator: 'topic', operand: 'js' },
    ]
    const range = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false, narrow }
    const { messages } = await client.messages.retrieve(range)
    assert.deepEqual(
      messages.map((message: { id: number; content: string }) => [message.id, message.content]),
      [
        [sent.id, content],
        [old.id, content],
      ],
    )
    const one = await client.messages.getById({ message_id: sent.id })
    assert.deepEqual([one.raw_content, one.message.id], [content, sent.id])
    assert.deepEqual((await client.queues.deregister({ queue_id })).result, 'success')
    const gone = await client.events.retrieve({ queue_id, last_event_id })
    assert.deepEqual([gone.result, gone.code], ['error', 'BAD_EVENT_QUEUE_ID'])
  })
})
