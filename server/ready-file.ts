import { accessSync, constants, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeWhole } from './data-folder.ts'
import type { DemoCredentials } from './first-start.ts'
import { ConfigError } from './settings.ts'

interface Ready {
  readonly url: string
  readonly pid: number
  readonly credentials?: DemoCredentials
}

/**
 * Tells programs that start a server and wait for it when it answers. A file left by a killed server is removed at
 * once; that of a server that runs stays, because a second start on its data folder is refused.
 */
export class ReadyFile {
  readonly #path: string

  /** @throws {ConfigError} if the file cannot be created */
  constructor(path: string) {
    this.#path = path
    this.#mayFail(() => {
      accessSync(dirname(path), constants.W_OK)
      if (!this.#isOfRunning()) this.remove()
    })
  }

  /** @throws {ConfigError} */
  write(ready: Ready): void {
    this.#mayFail(() => writeWhole(this.#path, `${JSON.stringify(ready)}\n`))
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  /** In a container, the killed server may have had this process ID. */
  #isOfRunning(): boolean {
    try {
      const { pid } = JSON.parse(readFileSync(this.#path, 'utf8')) as Ready
      return pid !== process.pid && process.kill(pid, 0)
    } catch {
      return false
    }
  }

  #mayFail(change: () => void): void {
    try {
      change()
    } catch (err) {
      throw new ConfigError(`PARLEY_READY_FILE is '${this.#path}', which cannot be written: ${(err as Error).message}`)
    }
  }
}
