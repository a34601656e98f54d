import { cp, mkdir, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Not in a fresh clone. */
const NOT_CLONED = new Set(['node_modules', '.git', 'data', 'dist', 'generated', 'operations.generated.ts'])

/** Makes `folder` what a fresh clone of this checkout would be, with its packages installed and nothing generated. */
export async function cloneCheckout(folder: string): Promise<void> {
  await mkdir(folder)
  await cp(ROOT, folder, {
    recursive: true,
    filter: (source) => relative(ROOT, source) === '' || !NOT_CLONED.has(basename(source)),
  })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
