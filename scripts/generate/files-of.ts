import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** TypeScript files in a folder, relative to it, in alphabetical order; none if the folder does not exist. */
export function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
