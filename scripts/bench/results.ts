/** All results of a benchmark run. */
export interface Results {
  readonly versions: Readonly<Record<string, string>>
  /** Length of a measurement in seconds, and the number of measurements. */
  readonly seconds: number
  readonly rounds: number
  readonly scenarios: Scenario[]
  readonly pipeline: readonly { readonly name: string; readonly microseconds: number }[]
  readonly start: Starts
}

/** Requests a second in each round; latencies of the median round; processor time of the server's process. */
export interface Scenario {
  readonly name: string
  readonly perSecond: Spread
  readonly p50Ms: number
  readonly p99Ms: number
  /** NaN if the system does not report it. */
  readonly processorUs: number
  /** Requests a second of bare node:http, which answers with the same body. */
  readonly floor: number
  /** Parley's requests a second divided by the floor's: the median of the rounds. */
  readonly ratio: number
}

export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

/** Milliseconds, and MiB. */
export interface Starts {
  readonly embedded: Spread
  readonly embeddedWithImports: Spread
  readonly npmStart: Spread
  readonly process: Spread
  readonly first: number
  readonly residentMiB: Spread
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const median =
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN) +
      (sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN)) /
    2
  return { min: sorted[0] ?? Number.NaN, median, max: sorted.at(-1) ?? Number.NaN }
}
