/**
 * Loaded before a test file. node:test learns which test an error or a subtest belongs to from async hooks, which see every
 * promise and every timer: a sixth of the processor time of a test that drives a server. `AsyncLocalStorage` knows the same
 * without any hook, so node:test gets its own `node:async_hooks`, of which it needs these three only.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const hooks = createRequire(import.meta.url)('node:async_hooks')
const { AsyncResource, createHook, executionAsyncId } = hooks

/** Id of the test under way. */
const current = new AsyncLocalStorage()
let latest
/** Whether node:test is about to be told of an exception. */
let isStray = false
/** What node:test notes its tests by, from its first one on. */
let callbacks

/** What node:test derives its tests from. */
class Scope extends AsyncResource {
  constructor(type, options) {
    super(type, options)
    callbacks?.init(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  runInAsyncScope(run, self, ...given) {
    latest = this.asyncId()
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => run.apply(self, given)))
  }
}

process.on('uncaughtExceptionMonitor', () => {
  isStray = true
})

Object.assign(hooks, {
  AsyncResource: Scope,
  createHook: (given) => {
    callbacks = given
    return { enable() {}, disable() {} }
  },
  executionAsyncId: () => {
    // What a timer throws has left its storage: it is of the test that began last, or of none where that has ended.
    const id = current.getStore() ?? (isStray ? latest : executionAsyncId())
    isStray = false
    return id
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })

// What this process and the children that it waited for took of the processor: ticks of 10 ms (man proc_pid_stat), on Linux alone.
process.once('exit', () => {
  if (process.platform !== 'linux' || process.env.PARLEY_TEST_COSTS === undefined) return
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  appendFileSync(process.env.PARLEY_TEST_COSTS, `${process.argv[1]}\t${ticks / 100}\n`)
})
