import { type ChildProcess, fork } from 'node:child_process'
import type { ImageOrder, ImageReport } from './image.ts'

/**
 * A process that reads images; it starts with the first one and ends when it has been idle for a while. It is not a
 * thread, so that a decoder's memory is freed when the process ends, loading the library (70 ms, 25 MB) blocks nobody,
 * and a crash of a decoder ends nothing else.
 */
export class ImageProcess {
  readonly #idleMs: number
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(idleMs: number) {
    this.#idleMs = idleMs
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    return this.#child !== undefined
  }

  /**
   * Accepts one call at a time.
   *
   * @throws {Error} if the process ended or took longer than `patienceMs`
   */
  async run(order: ImageOrder, patienceMs: number): Promise<ImageReport> {
    clearTimeout(this.#idle)
    const child = this.#child ?? this.#start()
    keepAlive(child, true)
    const { promise, resolve, reject } = Promise.withResolvers<ImageReport>()
    const onExit = (code: number | null, signal: string | null): void =>
      reject(new Error(`the process that reads images ended: ${signal ?? code}`))
    const patience = setTimeout(() => reject(new Error('an image took too long')), patienceMs)
    child.on('message', resolve).on('error', reject).on('exit', onExit)
    try {
      child.send(order, (err) => err && reject(err))
      const report = await promise
      if ('problem' in report && report.problem === 'time') this.#end(child)
      return report
    } catch (err) {
      this.#end(child)
      throw err
    } finally {
      clearTimeout(patience)
      child.off('message', resolve).off('error', reject).off('exit', onExit)
      keepAlive(child, false)
      this.#idle = setTimeout(() => this.#end(child), this.#idleMs).unref()
    }
  }

  /** Ends the process at once. */
  stop(): void {
    clearTimeout(this.#idle)
    if (this.#child) this.#end(this.#child)
  }

  #start(): ChildProcess {
    const child = fork(new URL('./image-process.mjs', import.meta.url), {
      serialization: 'advanced',
      // The process needs nothing from the server's environment, least of all secrets.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The process may also fail between two orders.
    child.on('error', () => this.#end(child)).on('exit', () => this.#end(child))
    this.#child = child
    return child
  }

  #end(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined
    child.kill('SIGKILL')
  }
}

/** Sets whether this process waits for the child before it ends. */
function keepAlive(child: ChildProcess, isAlive: boolean): void {
  const act = isAlive ? 'ref' : 'unref'
  child[act]()
  child.channel?.[act]()
}
