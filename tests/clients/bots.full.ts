/** Unmodified bots from the package zulip_bots, run by its own command against a server process. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import {
  fileCleanup,
  type ServerProcess,
  startProcess,
  temporaryFolder,
  untilParked,
} from '../../server/process-testing.ts'
import type { Answer, Heard, Parameters } from '../../server/testing.ts'
import { PythonProcess, pythonCommand, pythonVersion, rcFile, withPython } from './testing.ts'

const file = fileCleanup()
let server: ServerProcess
let folder: string
before(async () => {
  folder = await temporaryFolder(file)
  server = await startProcess(file, { dataFolder: join(folder, 'data') })
})

/** A conversation with a running bot, seen through the asker's event queue. */
class BotConversation {
  readonly #events: Heard
  readonly #ended: Promise<never>

  private constructor(events: Heard, ended: Promise<never>) {
    this.#events = events
    this.#ended = ended
  }

  /** Runs the bot of this name until the test ends, and waits until it listens. */
  static async with(t: TestContext, bot: string): Promise<BotConversation> {
    await untilParked(server.url, 0)
    const command = [pythonCommand('zulip-run-bot'), bot, '--config-file', await rcFile(server, folder, 'bot')]
    const ended = new PythonProcess(t, command, folder).ended()
    ended.catch(() => undefined) // it is killed at the end
    await Promise.race([untilParked(server.url, 1), ended])
    return new BotConversation(await server.as('member').listen(['message', 'update_message']), ended)
  }

  /** Sends a message, and returns the first event after its own. */
  async ask(message: Parameters): Promise<Answer['body']> {
    const { id } = await server.as('member').must('POST', '/messages', message)
    const seen = await Promise.race([this.#events.until(({ length }) => length > 1), this.#ended])
    assert.equal(seen[0].message.id, id)
    return seen[1]
  }
}

describe(`PyPI zulip_bots ${pythonVersion('zulip_bots')}, zulip-run-bot`, withPython, () => {
  const botId = () => server.credentials.users.bot?.user_id

  test('helloworld answers a mention in its topic, and a direct message', async (t) => {
    const conversation = await BotConversation.with(t, 'helloworld')
    const { message } = await conversation.ask({
      type: 'stream',
      to: 'general',
      topic: 'robots',
      content: '@**Demo Bot** hello',
    })
    assert.deepEqual(
      [message.sender_id, message.display_recipient, message.subject, message.content],
      [botId(), 'general', 'robots', 'beep boop'],
    )
    const direct = await conversation.ask({ type: 'direct', to: [botId()], content: 'hello' })
    assert.deepEqual(
      [direct.message.sender_id, direct.message.type, direct.message.content],
      [botId(), 'private', 'beep boop'],
    )
  })

  test('incrementor keeps its number in bot_storage and edits its own message', async (t) => {
    const conversation = await BotConversation.with(t, 'incrementor')
    const question = { type: 'stream', to: 'general', topic: 'count', content: '@**Demo Bot** count' }
    const first = await conversation.ask(question)
    assert.deepEqual([first.type, first.message.content], ['message', '1'])
    const second = await conversation.ask(question)
    assert.deepEqual([second.type, second.message_id, second.content], ['update_message', first.message.id, '2'])
  })
})
