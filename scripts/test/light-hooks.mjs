/**
 * Loaded before a test file. node:test uses async hooks to learn which test an error or a subtest belongs to, and these
 * see every promise and every timer: a sixth of the processor time of a test that drives a server. `AsyncLocalStorage`
 * knows the same without hooks, so node:test gets a small `node:async_hooks` with only the three things it uses.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'

const hooks = createRequire(import.meta.url)('node:async_hooks')
const { AsyncResource, createHook, executionAsyncId } = hooks

/** Id of the current test. */
const current = new AsyncLocalStorage()
let latest
/** Whether node:test is about to be told of an exception. */
let isStray = false
/** The hooks by which node:test records its tests, set by the first test. */
let callbacks

/** The base class of node:test's tests. */
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
    // An exception in a timer has lost its storage: it belongs to the test that began last, or to none if that has
    // ended.
    const id = current.getStore() ?? (isStray ? latest : executionAsyncId())
    isStray = false
    return id
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
