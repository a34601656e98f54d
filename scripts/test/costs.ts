import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { TestProcess } from './groups.ts'

const COSTLIEST = 20

/**
 * Seconds of processor time by test process, as written by `light-hooks.mjs`; empty if the system does not report it.
 *
 * @param file a line `entry<tab>seconds` for each process that ended by itself
 */
export function readCosts(file: string): ReadonlyMap<string, number> {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('\t')).map(([entry = '', seconds]) => [entry, Number(seconds)]))
}

/**
 * The processor time of all tests, of each top-level folder (files in one process share its time equally), and of the
 * most expensive processes.
 */
export function costReport(
  costs: ReadonlyMap<string, number>,
  processes: readonly TestProcess[],
  root: string,
): string {
  const byFolder = new Map<string, number>()
  for (const { entry, files } of processes) {
    for (const file of files) {
      const [folder = ''] = relative(root, file).split(sep)
      byFolder.set(folder, (byFolder.get(folder) ?? 0) + (costs.get(entry) ?? 0) / files.length)
    }
  }
  const all = [...byFolder].toSorted(([, one], [, other]) => other - one)
  const sum = all.reduce((total, [, seconds]) => total + seconds, 0)
  const costliest = processes.toSorted((one, other) => (costs.get(other.entry) ?? 0) - (costs.get(one.entry) ?? 0))
  return [
    `processor time: ${sum.toFixed(0)} s`,
    `  by folder: ${all.map(([folder, seconds]) => `${folder} ${seconds.toFixed(0)}`).join(', ')}`,
    `  costliest: ${costliest
      .slice(0, COSTLIEST)
      .map(({ name, entry }) => `${name} ${(costs.get(entry) ?? 0).toFixed(0)}`)
      .join(', ')}`,
  ].join('\n')
}
