import { writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { chunksOf } from '../../domain/chunks.ts'

/** What one process runs: a test file, or a file that imports several of them. */
export interface TestProcess {
  /** For people: relative to the root. */
  readonly name: string
  readonly entry: string
  readonly files: readonly string[]
}

/** Files of one process: a compromise between fewer starts and waiting for the longest in the end. */
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
    parts(members).map((part, index) => {
      const entry = join(folder, `${noun}-${index + 1}.mjs`)
      writeFileSync(entry, part.map((file) => `import ${JSON.stringify(file)}\n`).join(''))
      return { name: `handlers/${noun}, process ${index + 1}`, entry, files: part }
    }),
  )
  return [...alone, ...grouped]
}

/** Of about the same length. */
function parts(files: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(files.length / FILES_A_PROCESS)
  return [...chunksOf(files, Math.ceil(files.length / count))]
}
