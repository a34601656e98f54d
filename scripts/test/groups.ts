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

interface Company {
  readonly name: string
  readonly folders: readonly string[]
  /** A compromise between fewer starts and waiting for the longest process in the end. */
  readonly filesAProcess: number
}

/** Whose tests share processes: importing and warming up what they need takes longer than the tests of most files. */
const COMPANIES: readonly Company[] = [
  { name: 'rules', folders: ['client', 'domain', 'uploads'], filesAProcess: 20 },
  { name: 'handlers', folders: ['actions', 'handlers', 'jobs', 'views'], filesAProcess: 12 },
]

/** What looks at its whole process. */
const ALONE = ['domain/heap-bytes.test.ts', 'domain/markdown/work.test.ts']

/**
 * What shares processes comes last, because it is short: the long ones would keep one processor idle.
 * @param files absolute paths
 * @param folder where the importing files are written
 */
export function inProcesses(files: readonly string[], root: string, folder: string): TestProcess[] {
  const alone: TestProcess[] = []
  const together = new Map<Company, string[]>()
  for (const file of files) {
    const name = relative(root, file)
    const [top = ''] = name.split(sep)
    const company = COMPANIES.find(({ folders }) => folders.includes(top))
    if (company === undefined || ALONE.includes(name)) alone.push({ name, entry: file, files: [file] })
    else together.set(company, [...(together.get(company) ?? []), file])
  }
  const grouped = [...together].flatMap(([company, members]) =>
    parts(members, company).map((part, index) => {
      const entry = join(folder, `${company.name}-${index + 1}.mjs`)
      writeFileSync(entry, part.map((file) => `import ${JSON.stringify(file)}\n`).join(''))
      return { name: `${company.name}, process ${index + 1}`, entry, files: part }
    }),
  )
  return [...alone, ...grouped]
}

/** Of about the same length. */
function parts(files: readonly string[], { filesAProcess }: Company): (readonly string[])[] {
  const count = Math.ceil(files.length / filesAProcess)
  return [...chunksOf(files, Math.ceil(files.length / count))]
}
