import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chunksOf } from '../../domain/chunks.ts'

/** The work of one process: a test file, or a file that imports several. */
export interface TestProcess {
  /** For messages, relative to the root. */
  readonly name: string
  readonly entry: string
  readonly files: readonly string[]
}

interface Company {
  readonly name: string
  /** Beginnings of the paths of their files. */
  readonly folders: readonly string[]
  /** A compromise between few starts and a short wait for the last process. */
  readonly filesAProcess: number
}

/** Tests that share processes, because importing and warming up takes longer than most of their files. */
const COMPANIES: readonly Company[] = [
  {
    name: 'rules',
    folders: [
      ...['client/', 'domain/', 'event-loop/', 'uploads/', 'scripts/check/', 'scripts/generate/'],
      ...['conformance/ledger/', 'conformance/model/', 'conformance/requirements/', 'conformance/wire/'],
    ],
    filesAProcess: 20,
  },
  { name: 'storage', folders: ['db/', 'events/', 'exports/'], filesAProcess: 8 },
  { name: 'server', folders: ['server/'], filesAProcess: 8 },
  { name: 'handlers', folders: ['actions/', 'handlers/', 'jobs/', 'views/'], filesAProcess: 12 },
]

/** Tests that measure their whole process. */
const ALONE = [
  'db/statements.test.ts',
  'domain/heap-bytes.test.ts',
  'domain/markdown/work.test.ts',
  'events/queue-memory.test.ts',
  'server/conformance.test.ts',
  'server/memory.test.ts',
]

/** It mostly waits, so that two other processes have the processors meanwhile. */
const LONGEST = 'server/conformance.test.ts'

/**
 * The longest process is first and the shared ones are last, because they are short: a long one at the end would leave
 * one processor idle.
 *
 * @param files absolute paths
 * @param folder for the importing files
 */
export function inProcesses(files: readonly string[], root: string, folder: string): TestProcess[] {
  const alone: TestProcess[] = []
  const together = new Map<Company, string[]>()
  for (const file of files) {
    const name = relative(root, file)
    const company = COMPANIES.find(({ folders }) => folders.some((folder) => name.startsWith(folder)))
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
  const isLongest = ({ name }: TestProcess): boolean => name === LONGEST
  return [...alone.filter(isLongest), ...alone.filter((one) => !isLongest(one)), ...grouped]
}

/** Splits the files into parts of about equal length. */
function parts(files: readonly string[], { filesAProcess }: Company): (readonly string[])[] {
  const count = Math.ceil(files.length / filesAProcess)
  return [...chunksOf(files, Math.ceil(files.length / count))]
}
