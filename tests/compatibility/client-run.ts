import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Cleanup, type ServerProcess, startProcess, temporaryFolder } from '../../server/process-testing.ts'
import type { Answer } from '../../server/testing.ts'
import { type EventStep, type Known, NOTHING_LEARNED, ofKnown, type ScriptedClient, type Step } from './client.ts'
import { problems } from './shape.ts'
import { happen, makeWorld } from './world.ts'

interface Check {
  readonly name: string
  run(): Promise<void>
}

/** The client's calls, one after the other, against a server process that the first one starts. */
export function checksOf(client: ScriptedClient, file: Cleanup): Check[] {
  let started: Promise<ClientRun> | undefined
  const run = (): Promise<ClientRun> => {
    started ??= startClient(client, file)
    return started
  }
  const ofStep = (step: Step): Check => ({ name: step.does, run: async () => (await run()).step(step) })
  const ofEvent = (step: EventStep): Check => ({
    name: `event: ${step.does}`,
    run: async () => (await run()).event(step),
  })
  const { start, uses, events, end } = client
  return [...start.map(ofStep), ...uses.map(ofStep), ...events.map(ofEvent), ...end.map(ofStep)]
}

async function startClient(client: ScriptedClient, file: Cleanup): Promise<ClientRun> {
  const dataFolder = join(await temporaryFolder(file), 'data')
  const server = await startProcess(file, { dataFolder, environment: client.environment })
  return new ClientRun(server, { ...(await makeWorld(server)), ...NOTHING_LEARNED })
}

class ClientRun {
  readonly #server: ServerProcess
  #known: Known

  constructor(server: ServerProcess, known: Known) {
    this.#server = server
    this.#known = known
  }

  async step(step: Step): Promise<void> {
    const [method = '', named = ''] = step.does.split(/[ :,]+/)
    const path = ofKnown(step.path ?? named, this.#known)
    const { status, body } = await this.#call(step, method, path)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(step.answer ? problems(step.answer, body) : [], [])
    this.#learn(method, path, body)
  }

  /** Causes the event, and finds it in the queue. */
  async event({ act, name, event }: EventStep): Promise<void> {
    await happen(this.#server, act, this.#known)
    const { queueId: queue_id, lastEventId: last_event_id } = this.#known
    const poll = { queue_id, last_event_id, dont_block: true }
    const { events } = await this.#server.as('member').must('GET', '/events', poll)
    this.#known = { ...this.#known, lastEventId: events.at(-1)?.id ?? last_event_id }
    const found = events.filter(({ type, op }: Answer['body']) => [type, `${type} ${op}`].includes(name))
    const names = events.map(({ type, op }: Answer['body']) => [type, op].filter(Boolean).join(' '))
    assert.notEqual(found.length, 0, `no event '${name}', but: ${names.join(', ') || 'none'}`)
    const wrong = found.flatMap((one: unknown) => problems(event, one))
    assert.deepEqual(wrong, [])
  }

  async #call(step: Step, method: string, path: string): Promise<Answer> {
    if (URL.canParse(path)) return plainGet(path)
    const parameters = ofKnown(step.parameters ?? {}, this.#known)
    if (step.as !== 'nobody') return this.#server.as(step.as ?? 'member').request(method, path, parameters)
    const headers = { Authorization: '' }
    return this.#server.as('member').request(method, path, parameters, { headers })
  }

  #learn(method: string, path: string, body: Answer['body']): void {
    const known = this.#known
    if (path === '/register') {
      const { queue_id: queueId, last_event_id: lastEventId, server_emoji_data_url: emojiDataUrl } = body
      this.#known = { ...known, queueId, lastEventId, emojiDataUrl }
    } else if (path === '/events' && method === 'GET') {
      this.#known = { ...known, lastEventId: body.events.at(-1)?.id ?? known.lastEventId }
    } else if (path === '/register_client_device') {
      this.#known = { ...known, deviceId: body.device_id }
    } else if (path === '/messages' && method === 'POST') {
      this.#known = { ...known, ownMessageId: body.id }
    }
  }
}

async function plainGet(url: string): Promise<Answer> {
  const response = await fetch(url)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: response.ok ? JSON.parse(text) : { text } }
}
