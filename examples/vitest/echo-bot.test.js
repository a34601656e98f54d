// The bot, with the real client, on a server that loses its queue, is busy, drops its poll, starts anew, and is hours ahead.
import { startParley } from 'parley-server/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import zulip from 'zulip-js'
import { runEchoBot } from './echo-bot.js'

let parley
let bot
let ada
let queue
let running
let isOver

beforeEach(async () => {
  parley = await startParley()
  bot = await parley.newUser('Echo')
  ada = await parley.newUser('Ada')
  queue = await ada.must('POST', '/register', { event_types: ['message'] })
  const client = await zulip({ username: bot.email, apiKey: bot.apiKey, realm: parley.url })
  isOver = false
  running = runEchoBot(client, () => isOver)
  // The bot hears what is sent after its own registration.
  await until(({ operation }) => operation === 'get-events')
})

afterEach(async () => {
  isOver = true
  await parley.expireQueues()
  await running
  await parley.expectNoMistakes()
  await parley.stop()
})

/** Waits until the bot's calls have one, or several, like this. */
function until(isMeant, count = 1) {
  return vi.waitFor(async () => {
    expect((await parley.requests()).filter(isMeant).length).toBeGreaterThanOrEqual(count)
  }, 5000)
}

function say(content) {
  return ada.must('POST', '/messages', { type: 'direct', to: [bot.userId], content })
}

/** The bot's next answer. */
async function heard() {
  for (;;) {
    const { events } = await ada.must('GET', '/events', queue)
    for (const { id } of events) queue.last_event_id = Math.max(queue.last_event_id, id)
    const answer = events.find(({ message }) => message?.sender_id === bot.userId)
    if (answer) return answer.message.content.replace(/<\/?p>/g, '')
  }
}

test('answers', async () => {
  await say('hello')
  expect(await heard()).toBe('You said: hello')
})

test('goes on after a restart', async () => {
  await parley.restart()
  await say('after')
  expect(await heard()).toBe('You said: after')
})

test('begins anew where its queue was lost', async () => {
  await parley.expireQueues()
  queue = await ada.must('POST', '/register', { event_types: ['message'] })
  await until(({ operation }) => operation === 'register-queue', 2)
  await say('again')
  expect(await heard()).toBe('You said: again')
})

test('does not mind an hour in which nothing happens', async () => {
  await parley.advance(3_600_000)
  queue = await ada.must('POST', '/register', { event_types: ['message'] })
  await say('an hour later')
  expect(await heard()).toBe('You said: an hour later')
})

test('waits when it is told to', async () => {
  await parley.failNext({ operation: 'send-message', code: 'RATE_LIMIT_HIT', retryAfter: 0.2 })
  await say('busy')
  expect(await heard()).toBe('You said: busy')
  const codes = (await parley.requests()).flatMap(({ operation, code }) => (operation === 'send-message' ? [code] : []))
  expect(codes).toEqual(['RATE_LIMIT_HIT', null])
})

test('asks again when a poll is dropped, or a proxy answers in place of the server', async () => {
  await parley.failNext({ operation: 'get-events', drop: 'request' })
  await parley.failNext({ operation: 'get-events', status: 502 })
  await say('lost?')
  expect(await heard()).toBe('You said: lost?')
  await until(({ status }) => status === 502)
  await say('and now?')
  expect(await heard()).toBe('You said: and now?')
})
