/**
 * `npm run package:conformance`: makes the npm package `parley-conformance` in dist/parley-conformance, plain JavaScript
 * with types, ready for `npm pack` and `npm publish` there.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ensureGenerated } from './generate.ts'

const root = join(import.meta.dirname, '..')
const execute = promisify(execFile)

const dependencies = ['ajv', 'ajv-formats', 'fast-check', 'yaml']
/** Files that are not code, from their place in the project to their place in the package: the code looks for them there. */
const files = {
  'generated/wire.json': 'generated/wire.json',
  'conformance/requirements/requirements.yaml': 'conformance/requirements/requirements.yaml',
  'conformance/README.md': 'README.md',
  LICENSE: 'LICENSE',
}

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/**
 * Makes the package in `folder`, which is emptied first.
 *
 * @throws Error with what the compiler says
 */
export async function packageConformance(folder: string): Promise<void> {
  await ensureGenerated()
  rmSync(folder, { recursive: true, force: true })
  for (const [from, to] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    copyFileSync(join(root, from), join(folder, to))
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(manifest), null, 2)}\n`)
  await compile(folder)
}

/** Compiles what the command and the library need, so neither tests nor seeded faults. */
async function compile(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, 'conformance/tsconfig.package.json')
  try {
    await execute(process.execPath, [compiler, '-p', project, '--outDir', folder])
  } catch (err) {
    throw new Error(`the package does not compile:\n${(err as { stdout?: string }).stdout ?? err}`, { cause: err })
  }
}

function packageManifest({ version, license, ...ours }: Manifest): object {
  const versions = { ...ours.devDependencies, ...ours.dependencies }
  const library = (file: string) => ({ types: `./conformance/${file}.d.ts`, default: `./conformance/${file}.js` })
  return {
    name: 'parley-conformance',
    version,
    description: 'Says what a server of the Zulip API really does: black-box checks of its requirements, over HTTP.',
    keywords: ['conformance', 'zulip', 'chat', 'api', 'testing'],
    license,
    type: 'module',
    engines: { node: '>=22' },
    bin: { 'parley-conformance': 'conformance/cli.js' },
    exports: {
      '.': library('run'),
      './credentials': library('deployment/credentials'),
      './reports/*': library('reports/*'),
      './requirements.yaml': './conformance/requirements/requirements.yaml',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(dependencies.map((name) => [name, versions[name]])),
  }
}

if (import.meta.main) {
  const folder = join(root, 'dist/parley-conformance')
  await packageConformance(folder)
  console.log(folder)
}
