import { writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** What one process runs: a test file, or a file that imports several of them. */
export interface TestProcess {
  /** For people: relative to the root. */
  readonly name: string
  readonly entry: string
  readonly files: readonly string[]
}

/** Files of one process: fewer starts against waiting for the longest in the end. */
const FILES_A_PROCESS = 6

/**
 * The handlers' tests, folder by folder, share processes: importing and warming up the server takes longer than the
 * tests of one operation. They come last, because they are short: the long ones would keep one processor idle.
 * @param files absolute paths
 * @param folder where the importing files are written
 */
export function inProcesses(files: readonly string[], root: string, folder: string): TestProcess[] {
  const alone: TestProcess[] = []
  const together = new Map<string, string[]>()
  for (const file of files) {
    const name = relative(root, file)
    const [top, noun] = name.split(sep)
    if (top !== 'handlers' || noun === undefined) alone.push({ name, entry: file, files: [file] })
    else together.set(noun, [...(together.get(noun) ?? []), file])
  }
  const grouped = [...together].flatMap(([noun, members]) =>
    chunks(members, FILES_A_PROCESS).map((part, index) => {
      const entry = join(folder, `${noun}-${index + 1}.mjs`)
      writeFileSync(entry, part.map((file) => `import ${JSON.stringify(file)}\n`).join(''))
      return { name: `handlers/${noun}, process ${index + 1}`, entry, files: part }
    }),
  )
  return [...alone, ...grouped]
}

/** Parts of about the same length, of at most `size`. */
function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size)
  const length = Math.ceil(list.length / count)
  return Array.from({ length: count }, (_, index) => list.slice(index * length, (index + 1) * length))
}
