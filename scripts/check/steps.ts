import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tableProblems } from '../document-tables.ts'

/** One check: either a tool that Node runs (`args`; it fails by its exit code) or a function. */
export type Step =
  | { readonly name: string; readonly args: readonly string[] }
  | { readonly name: string; readonly problems: () => string[] | Promise<string[]> }

const root = join(import.meta.dirname, '../..')
const packages = join(root, 'node_modules')
const outsideSource = new Set(['node_modules', 'dist', 'data'])

/** Top-level folders of the project at `folder` that contain TypeScript. */
function sourceFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !outsideSource.has(entry.name))
    .map((entry) => entry.name)
    .filter((name) => globSync('**/*.ts', { cwd: join(folder, name), exclude: ['**/node_modules'] }).length > 0)
}

/** Arguments for Node that check the imports in `folder` against the import table. */
export function importCheckArguments(folder: string): string[] {
  const bin = join(packages, 'dependency-cruiser/bin/dependency-cruise.mjs')
  return [bin, '--config', join(root, '.dependency-cruiser.mjs'), ...sourceFolders(folder)]
}

/** Generates what the other steps read, so it runs before them; also lints the contract. */
export const generateStep: Step = { name: 'generate', args: [join(root, 'scripts/generate.ts')] }

/** With `fix` it rewrites files, so it must not run beside other steps. */
export const formatStep = (fix: boolean): Step => ({
  name: fix ? 'format and lint (fixing)' : 'format and lint',
  args: [
    join(packages, '@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...(fix ? ['--write'] : []),
  ],
})

/** Independent of each other; the slowest are first, so that two cores finish soonest. */
export const independentSteps = (): Step[] => [
  { name: 'types', args: [join(packages, 'typescript/bin/tsc'), '-p', 'tsconfig.json', '--pretty'] },
  // The registry that imports the handlers is generated and git-ignored, and must count as a use.
  { name: 'unused code and dependencies', args: [join(packages, 'knip/bin/knip.js'), '--no-gitignore'] },
  { name: 'imports and cycles', args: importCheckArguments(root) },
  {
    name: 'served documents',
    args: [
      ...[join(packages, '@redocly/cli/bin/cli.js'), 'lint', 'generated/wire.json', 'generated/wire-3.0.json'],
      ...['--config', 'openapi/redocly-served.yaml'],
    ],
  },
  { name: 'tables of documents', problems: () => tableProblems() },
]
