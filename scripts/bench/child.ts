/** A process of the benchmark: `node child.ts TASK JSON`. Prints one line of JSON; servers then keep running. */
import type { BareServerInput } from './bare-servers.ts'
import type { EmbeddedInput } from './embedded.ts'
import type { FanOutInput } from './fan-out.ts'
import type { BehindInput, ParkedInput } from './waiting.ts'

/** Imported on use, so that a start is measured with nothing else in the process. */
const TASKS = {
  'bare-http': async (input: BareServerInput) => (await import('./bare-servers.ts')).startBareHttp(input),
  pipeline: async (_: object) => (await import('./pipeline.ts')).measurePipeline(),
  embedded: async (input: EmbeddedInput) => (await import('./embedded.ts')).measureEmbedded(input),
  'fan-out': async (input: FanOutInput) => (await import('./fan-out.ts')).measureFanOut(input),
  parked: async (input: ParkedInput) => (await import('./waiting.ts')).measureParked(input),
  behind: async (input: BehindInput) => (await import('./waiting.ts')).measureBehind(input),
}

export type Task = keyof typeof TASKS
export type TaskInput<Name extends Task> = Parameters<(typeof TASKS)[Name]>[0]
export type TaskOutput<Name extends Task> = Awaited<ReturnType<(typeof TASKS)[Name]>>

const [name, input = '{}'] = process.argv.slice(2)
const task = TASKS[name as Task] as (input: unknown) => Promise<unknown>
process.stdout.write(`${JSON.stringify(await task(JSON.parse(input)))}\n`)
