import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from '../../conformance/environment-testing.ts'
import type { DemoCredentials } from '../../server/first-start.ts'
import { type ApiClient, accountsOf } from '../../server/testing.ts'

const run = promisify(execFile)
/** Twice what MariaDB needs for a new database. */
const DISK = 'size=400m'

/** A small disk, which a test can fill. Undefined where this account may not mount one. */
export async function smallDisk(t: TestContext): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', DISK, 'none', folder])
    // Lazily, because the programs that run on it are stopped after this.
    t.after(() => run('umount', ['--lazy', folder]))
    return folder
  } catch {
    return undefined
  } finally {
    t.after(() => rmdir(folder))
  }
}

/** The processes that deploy/try.sh starts: MariaDB or a Galera cluster, three processes and nginx. */
export class Site {
  readonly numbers = [1, 2, 3] as const
  readonly url: string
  readonly folder: string
  /** Clients of the accounts of the demo organization, through nginx. */
  readonly as: (key: string) => ApiClient
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>

  private constructor(
    url: string,
    folder: string,
    credentials: DemoCredentials,
    child: ChildProcess,
    ended: Promise<number | null>,
  ) {
    this.url = url
    this.folder = folder
    this.as = accountsOf(url, credentials)
    this.#child = child
    this.#ended = ended
  }

  /** @param disk folder to be used; undefined for any */
  static async start(t: TestContext, nodes: number, disk?: string): Promise<Site> {
    // Below the ports that systems assign, so that the following ones are free, too.
    const port = 20_000 + (process.pid % 500) * 20
    const settings = { PORT: String(port), NODES: String(nodes), PARLEY_RATE_LIMITS: 'off' }
    const env = { ...environmentWithoutSettings(), ...settings, ...(disk !== undefined && { TMPDIR: disk }) }
    const script = join(import.meta.dirname, '../../deploy/try.sh')
    const child = spawn(script, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    t.after(async () => {
      child.kill()
      await ended
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.stdout.setEncoding('utf8')
    const [, url = '', file = ''] = await new Promise<RegExpExecArray>((resolve, reject) => {
      child.stdout.on('data', (text: string) => {
        said += text
        const found = /answer at (\S+); credentials: (\S+)\n/.exec(said)
        if (found) resolve(found)
      })
      void ended.then((code) => reject(new Error(`deploy/try.sh ended with ${code}: ${said}`)))
    })
    const credentials = JSON.parse(await readFile(file, 'utf8')) as DemoCredentials
    return new Site(url, dirname(dirname(file)), credentials, child, ended)
  }

  /** @param name 1 to 3, nginx or mariadb1 to mariadb3 */
  async pid(name: string): Promise<number> {
    const file = /^\d$/.test(name) ? `${name}/pid` : `${name}.pid`
    return Number(await readFile(join(this.folder, file), 'utf8'))
  }

  /** Signals a process, which ends it, and waits until the next one answers. */
  restarted(number: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const url = `http://127.0.0.1:${Number(new URL(this.url).port) + number}/health`
    return this.#restarted(String(number), signal, async () => (await fetch(url)).ok)
  }

  /** Afterwards a node of the cluster has all data again. */
  restartedDatabase(signal: 'SIGKILL' | 'SIGTERM', node = 1): Promise<void> {
    return this.#restarted(`mariadb${node}`, signal, async () => {
      const options = ['--no-defaults', `--socket=${this.folder}/socket${node}`, '--user=root', '--skip-column-names']
      const { stdout } = await run('mariadb', [...options, '--execute', "show status like 'wsrep_local_state_comment'"])
      return /Synced|^$/.test(stdout)
    })
  }

  async #restarted(name: string, signal: 'SIGKILL' | 'SIGTERM', answers: () => Promise<boolean>): Promise<void> {
    const former = await this.pid(name)
    process.kill(former, signal)
    for (;;) {
      const present = await this.pid(name).catch(() => former)
      if (present !== former && present > 0 && (await answers().catch(() => false))) return
      await delay(20)
    }
  }

  /** Writes to the disk until it is full. The result frees it again. */
  async filledDisk(): Promise<() => Promise<void>> {
    const path = join(dirname(this.folder), 'ballast')
    const file = await open(path, 'w')
    const block = Buffer.alloc(4096)
    for (let isFull = false; !isFull; )
      await file.write(block).catch((err: NodeJS.ErrnoException) => {
        if (err.code !== 'ENOSPC') throw err
        isFull = true
      })
    await file.close()
    return () => rm(path)
  }

  async stop(): Promise<void> {
    this.#child.kill()
    const code = await this.#ended
    if (code !== 0) throw new Error(`deploy/try.sh ended with ${code}`)
  }
}
