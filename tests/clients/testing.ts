import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { zuliprc } from '../../server/first-start.ts'
import type { ServerProcess } from '../../server/process-testing.ts'
import type { Answer } from '../../server/testing.ts'

const REQUIREMENTS = join(import.meta.dirname, '../../scripts/test/python-requirements.txt')

/** An interpreter with the packages of scripts/test/python-requirements.txt; `npm test` creates it. */
export const PYTHON = process.env.PARLEY_TEST_PYTHON
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
if (PYTHON === undefined && isCi) throw new Error('PARLEY_TEST_PYTHON is not set, and with CI set these tests must run')
export const withPython = {
  skip: PYTHON === undefined && 'NO PYTHON CLIENT: run through npm test, with python3 installed',
}

/** The version of a package that the tests use. */
export function pythonVersion(name: string): string {
  const version = new RegExp(`^${name}==(.*)$`, 'm').exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${REQUIREMENTS} does not pin ${name}`)
  return version
}

/** Path of a package's command. Pass it to the interpreter, because the folder has moved since the installation. */
export function pythonCommand(name: string): string {
  return join(dirname(PYTHON ?? ''), name)
}

/** Writes the credentials as a client's configuration file into `folder`, and returns its path. */
export async function rcFile(server: ServerProcess, folder: string, key: string): Promise<string> {
  const file = join(folder, `zuliprc-${key}`)
  await writeFile(file, `${zuliprc(server.credentials, key)}\n`)
  return file
}

/** A Python process that is killed when the test ends. Each line of its standard output is JSON. */
export class PythonProcess {
  readonly child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #stderr = ''

  constructor(t: { after(clean: () => void): void }, args: readonly string[], cwd: string) {
    const child = spawn(PYTHON ?? '', args, { cwd, env: withoutOwnConfiguration(), stdio: ['pipe', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    this.child = child
  }

  /** The next line; if there is none, fails with Python's error output. */
  async next(): Promise<Answer['body']> {
    const { done, value } = await this.#lines.next()
    if (done === true) throw new Error(`Python ended: ${this.#stderr}`)
    return JSON.parse(value)
  }

  /** Fails with Python's error output as soon as it ends. */
  async ended(): Promise<never> {
    for (;;) {
      const { done } = await this.#lines.next()
      if (done === true) throw new Error(`Python ended: ${this.#stderr}`)
    }
  }
}

/** The environment without variables that would configure the clients instead of the file. */
export function withoutOwnConfiguration(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ZULIP_')))
}
