import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const cache = join(import.meta.dirname, '../node_modules/.cache/parley')

/**
 * A folder that is made once and kept; its name changes with what it is made from. Made under another name and renamed, so
 * that an interrupted run leaves nothing half made in place, and several may run at once.
 *
 * @param make fills an empty place that it is given; the folder may be moved afterwards
 * @returns its path
 */
export async function keptFolder(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  try {
    await make(draft)
    try {
      renameSync(draft, folder)
    } catch (err) {
      if (!existsSync(folder)) throw err // otherwise another run was faster
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}
