import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface HasProcess {
  readonly child: Pick<ChildProcess, 'pid'>
}

/** Resident memory, in MiB. */
export function residentMiB({ child: { pid } }: HasProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** Processor time that the process has used, in µs, in ticks of 10 ms; NaN if the system does not report it. */
export function processorUs({ child: { pid } }: HasProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return Number.NaN
  }
}
