/** A process of the benchmark: `node child.ts TASK JSON`. Prints one line of JSON; servers then keep running. */
import type { BareServerInput } from './bare-servers.ts'
import type { FanOutInput, FanOutResult } from './fan-out.ts'
import type { BehindInput, ParkedInput, ParkedResult } from './waiting.ts'

/** The input and output of each task. */
interface Tasks {
  'bare-http': { input: BareServerInput; output: string }
  'bare-koa': { input: BareServerInput; output: string }
  pipeline: { input: Record<string, never>; output: { name: string; microseconds: number }[] }
  embedded: { input: { dataFolder: string }; output: { withImportsMs: number; startMs: number } }
  'fan-out': { input: FanOutInput; output: FanOutResult }
  parked: { input: ParkedInput; output: ParkedResult }
  behind: { input: BehindInput; output: number }
}

export type Task = keyof Tasks
export type TaskInput<Name extends Task> = Tasks[Name]['input']
export type TaskOutput<Name extends Task> = Tasks[Name]['output']

/** Imported on use, so that a start is measured with nothing else in the process. */
const run: { readonly [Name in Task]: (input: TaskInput<Name>) => Promise<TaskOutput<Name>> } = {
  'bare-http': async (input) => (await import('./bare-servers.ts')).startBareHttp(input),
  'bare-koa': async (input) => (await import('./bare-servers.ts')).startBareKoa(input),
  pipeline: async () => (await import('./pipeline.ts')).measurePipeline(),
  embedded: async (input) => (await import('./embedded.ts')).measureEmbedded(input),
  'fan-out': async (input) => (await import('./fan-out.ts')).measureFanOut(input),
  parked: async (input) => (await import('./waiting.ts')).measureParked(input),
  behind: async (input) => (await import('./waiting.ts')).measureBehind(input),
}

const [name, input = '{}'] = process.argv.slice(2)
const task = run[name as Task] as (input: unknown) => Promise<unknown>
process.stdout.write(`${JSON.stringify(await task(JSON.parse(input)))}\n`)
