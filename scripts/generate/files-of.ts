import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** TypeScript below a folder, relative to it, in alphabetical order; none where there is no such folder. */
export function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
