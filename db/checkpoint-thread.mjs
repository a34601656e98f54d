// JavaScript, because this thread of a few lines should not load the type stripper.
import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** @type {import('./checkpoints.ts').CheckpointOrder} */
const { file, shared, idle, due, ending } = workerData
const state = new Int32Array(shared)
const handle = new Sqlite(file)

for (let now = Atomics.load(state, 0); now !== ending; now = Atomics.load(state, 0)) {
  if (now === due) {
    handle.pragma('wal_checkpoint(PASSIVE)')
    // Unless it was told to end meanwhile.
    Atomics.compareExchange(state, 0, due, idle)
    Atomics.notify(state, 0)
  } else Atomics.wait(state, 0, now)
}
handle.close()
