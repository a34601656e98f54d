import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { writeAtomically } from './write-atomically.ts'

/** What the files of a folder export under one name, as one list. */
interface Collection {
  readonly file: string
  readonly folder: string
  readonly name: string
}

const COLLECTIONS: readonly Collection[] = [
  { file: 'conformance/checks.generated.ts', folder: 'conformance/checks', name: 'checks' },
  { file: 'conformance/faults-generated-testing.ts', folder: 'conformance/faults', name: 'faults' },
]

/** The files of a folder that export `name`, in alphabetical order, relative to the folder. */
function membersOf(folder: string, name: string): string[] {
  if (!existsSync(folder)) return []
  const isMember = new RegExp(`^export (?:const|function) ${name}\\b`, 'm')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isMember.test(readFileSync(path, 'utf8')))
    .map((path) => relative(folder, path).split(sep).join('/'))
    .sort()
}

/** Writes each collecting file that is not there or not as it should be. A file is collected by its place and by the name that it exports. */
export function collect(root: string): void {
  for (const { file, folder, name } of COLLECTIONS) {
    const path = join(root, file)
    const text = collecting(folder, name, membersOf(join(root, folder), name))
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeAtomically(path, text)
  }
}

function collecting(folder: string, name: string, members: readonly string[]): string {
  const from = folder.slice(folder.indexOf('/') + 1)
  return [
    `// Made by scripts/generate.ts: everything in ${folder}/ that exports \`${name}\`. Do not edit.`,
    ...members.map((member, index) => `import { ${name} as list${index} } from './${from}/${member}'`),
    '',
    `export const collected = [${members.map((_, index) => `list${index}`).join(', ')}] as const`,
    '',
  ].join('\n')
}
