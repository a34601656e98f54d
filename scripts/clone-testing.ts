import { cp, mkdir, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Missing in a fresh clone. */
const NOT_CLONED = new Set(['node_modules', '.git', 'data', 'dist', 'generated', 'operations.generated.ts'])

/** Makes `folder` like a fresh clone of this checkout, without generated files, and by default with its packages. */
export async function cloneCheckout(folder: string, { withPackages = true } = {}): Promise<void> {
  await mkdir(folder)
  await cp(ROOT, folder, {
    recursive: true,
    filter: (source) => relative(ROOT, source) === '' || !NOT_CLONED.has(basename(source)),
  })
  if (withPackages) await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
