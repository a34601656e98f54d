import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const cache = join(import.meta.dirname, '../node_modules/.cache/parley')

/**
 * A folder that is created once and kept; its name depends on what it is made from. It is created under another name
 * and then renamed, so that an interrupted run leaves nothing incomplete, and several may run at once.
 *
 * @param make fills an empty folder, which may be moved afterwards
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
