import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../server/settings.ts'
import { readSource } from './generate/source.ts'
import { permissionTables } from './permissions/page.ts'

const root = join(import.meta.dirname, '..')

/** A generated table in a document, between two comments with its name. */
interface Table {
  readonly file: string
  readonly name: string
  readonly source: string
  readonly make: () => string | Promise<string>
}

interface Documented {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; tags?: string[] }>>>>
}

const TABLES: readonly Table[] = [
  { file: 'docs/settings.md', name: 'settings', source: 'server/settings.ts', make: settingsTable },
  { file: 'docs/operations.md', name: 'operations', source: 'openapi/', make: operationsTable },
  ...(['matrix', 'settings', 'switches'] as const).map((name) => ({
    file: 'docs/permissions.md',
    name,
    source: 'openapi/',
    make: async () => permissionTables(await readSource(join(root, 'openapi')))[name],
  })),
]

function settingsTable(): string {
  const rows = SETTINGS.map(
    ({ variable, flag, default: standard, values, meaning }) =>
      `| \`${variable}\` | \`--${flag}\` | ${standard} | ${values} | ${meaning} |`,
  )
  return ['| variable | flag | default | values | meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

/** Read from the contract, so that it is never out of date. */
function operationsTable(): string {
  const { tags, paths }: Documented = JSON.parse(readFileSync(join(root, 'generated/wire.json'), 'utf8'))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const rows = tags.flatMap(({ name, description }) => {
    const ids = operations.flatMap(({ operationId, tags: [tag] = [] }) =>
      tag === name && operationId !== undefined ? [`\`${operationId}\``] : [],
    )
    return ids.length === 0 ? [] : [`| ${name} | ${description} | ${ids.join(', ')} |`]
  })
  return ['| tag | about | operations |', '| --- | --- | --- |', ...rows].join('\n')
}

async function withTable(text: string, { file, name, source, make }: Table): Promise<string> {
  const [first, last] = [`<!-- ${name}: made by scripts/document-tables.ts from ${source} -->`, `<!-- /${name} -->`]
  const begin = text.indexOf(first)
  const end = text.indexOf(last)
  if (begin < 0 || end < begin) throw new Error(`${file} lacks ${first} … ${last}`)
  return `${text.slice(0, begin)}${first}\n\n${await make()}\n\n${text.slice(end)}`
}

/** Problems with the tables of documents; empty if they match their sources. @param mend also rewrites old tables */
export async function tableProblems({ mend = false } = {}): Promise<string[]> {
  const problems: string[] = []
  for (const table of TABLES) {
    const file = join(root, table.file)
    const text = readFileSync(file, 'utf8')
    const mended = await withTable(text, table)
    if (mended === text) continue
    problems.push(`${table.file}: the table of ${table.name} is old: run npm run check -- --fix`)
    if (mend) writeFileSync(file, mended)
  }
  return problems
}
