/** Every method of the client libraries that everyday chat needs, really called, one after the other. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import zulip from 'zulip-js'
import packageJson from '../../package.json' with { type: 'json' }
import { fileCleanup, type ServerProcess, startProcess, temporaryFolder } from '../../server/process-testing.ts'
import type { Answer } from '../../server/testing.ts'
import { type Known, madeKnown } from './known.ts'
import type { LibraryCall } from './library-call.ts'
import { JAVASCRIPT_CALLS, PYTHON_CALLS } from './library-calls.ts'
import { PYTHON_ELSEWHERE, PYTHON_INNER, PYTHON_NOT_RUN } from './python-administration.ts'
import { PythonProcess, pythonVersion, rcFile, withPython } from './testing.ts'

const { 'zulip-js': zulipJsVersion } = packageJson.devDependencies

/** Later methods use the message that these send. */
const SENDING: readonly string[] = ['send_message', 'messages.send']

const file = fileCleanup()

/** A server of its own, and what the library has created there. */
class Library {
  readonly server: ServerProcess
  readonly folder: string
  known: Known

  private constructor(server: ServerProcess, folder: string, known: Known) {
    this.server = server
    this.folder = folder
    this.known = known
  }

  static async start(): Promise<Library> {
    const folder = await temporaryFolder(file)
    const server = await startProcess(file, { dataFolder: join(folder, 'data') })
    return new Library(server, folder, await madeKnown(server))
  }

  /** @param invoke calls the library's method with the account's credentials */
  async check(
    { name, args, as = 'member', answers, makes }: LibraryCall,
    invoke: (as: string, args: readonly unknown[]) => Promise<Answer['body']>,
  ): Promise<void> {
    const answer = await invoke(as, args?.(this.known) ?? [])
    assert.equal(answer.result, 'success', `${name}: ${JSON.stringify(answer)}`)
    if (answers !== undefined) assert.ok(answers in answer, `${name} answers without ${answers}`)
    if (makes !== undefined) this.known = { ...this.known, made: { ...this.known.made, [name]: answer[makes] } }
    if (SENDING.includes(name)) this.known = { ...this.known, ownMessageId: answer.id }
  }
}

describe(`PyPI zulip ${pythonVersion('zulip')}`, withPython, () => {
  let library: Library
  const clients = new Map<string, PythonProcess>()
  let greeting: { readonly methods: readonly string[] } | undefined
  before(async () => {
    library = await Library.start()
  })

  async function clientOf(as: string): Promise<PythonProcess> {
    const known = clients.get(as)
    if (known) return known
    const script = join(import.meta.dirname, 'programs/call.py')
    const { server, folder } = library
    const untilAllAreDone = { after: (clean: () => void) => file.after(async () => clean()) }
    const client = new PythonProcess(untilAllAreDone, [script, await rcFile(server, folder, as)], folder)
    greeting = await client.next()
    clients.set(as, client)
    return client
  }

  for (const call of PYTHON_CALLS) {
    test(`client.${call.name}`, () =>
      library.check(call, async (as, args) => {
        const client = await clientOf(as)
        const named = call.named?.(library.known) ?? {}
        client.child.stdin?.write(`${JSON.stringify([call.name, args, named])}\n`)
        return client.next()
      }))
  }

  test('have only methods that run here or in programs, and those of PYTHON_NOT_RUN with reasons', async () => {
    await clientOf('member')
    const methods = [...(greeting?.methods ?? [])]
    const known = [...PYTHON_CALLS.map(({ name }) => name), ...PYTHON_ELSEWHERE, ...PYTHON_INNER]
    assert.deepEqual(methods.sort(), [...known, ...Object.keys(PYTHON_NOT_RUN)].sort())
  })
})

describe(`npm zulip-js ${zulipJsVersion}`, () => {
  let library: Library
  before(async () => {
    library = await Library.start()
  })

  for (const call of JAVASCRIPT_CALLS) {
    test(`client.${call.name}`, () =>
      library.check(call, async (as, args) => {
        const { email: username, api_key: apiKey } = library.server.credentials.users[as] ?? assert.fail()
        const client: unknown = await zulip({ username, apiKey, realm: library.server.url })
        return methodOf(client, call.name)(...args)
      }))
  }
})

type Method = (...args: readonly unknown[]) => Promise<Answer['body']>

function methodOf(client: unknown, path: string): Method {
  const found = path.split('.').reduce((one, name) => (one as Readonly<Record<string, unknown>>)[name], client)
  assert.equal(typeof found, 'function', `the library has no ${path}`)
  return found as Method
}
