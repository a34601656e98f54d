/**
 * `npm run package -- NAME`: builds the npm package NAME, `parley-conformance` or `parley-server`, in dist/NAME: plain
 * JavaScript with types and all generated files, ready for `npm pack` and `npm publish` there.
 */
import { execFile } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureGenerated } from './generate.ts'

const root = join(import.meta.dirname, '..')
const execute = promisify(execFile)

const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Dependencies of the project that only the generator and a start from a checkout need. */
const ONLY_HERE = new Set(['@apidevtools/swagger-parser', 'node', 'yaml'])

/** The differences between the packages. */
interface Package {
  /** Its folder, with its README and the TypeScript project that is compiled. */
  readonly home: string
  /** Other files, which the code looks for under the same path. */
  readonly files: readonly string[]
  /** The project's dependencies that it needs, type packages included, in the versions that the tests use. */
  readonly dependencies: readonly string[]
  /** More fields of package.json. */
  readonly manifest: Readonly<Record<string, unknown>>
}

const library = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` })

export const PACKAGES = {
  'parley-conformance': {
    home: 'conformance',
    files: ['generated/wire.json', 'conformance/requirements/requirements.yaml'],
    dependencies: ['ajv', 'ajv-formats', 'fast-check', 'yaml'],
    manifest: {
      description: 'Says what a server of the Zulip API really does: black-box checks of its requirements, over HTTP.',
      keywords: ['conformance', 'zulip', 'chat', 'api', 'testing'],
      engines: { node: '>=22' },
      bin: { 'parley-conformance': 'bin.cjs' },
      command: './conformance/cli.js',
      exports: {
        '.': library('conformance/run'),
        './credentials': library('conformance/deployment/credentials'),
        './reports/*': library('conformance/reports/*'),
        './requirements.yaml': './conformance/requirements/requirements.yaml',
        './package.json': './package.json',
      },
    },
  },
  'parley-server': {
    home: 'server',
    files: [
      ...['decoded', 'requests', 'testing', 'wire', 'wire-3.0'].map((name) => `generated/${name}.json`),
      ...globSync('server/static/*', { cwd: root }),
    ],
    dependencies: [...Object.keys(ours.dependencies).filter((one) => !ONLY_HERE.has(one)), '@types/koa', '@types/node'],
    manifest: {
      description:
        'A team-chat server for the clients of the Zulip API: starts in a second, keeps what it acknowledges.',
      keywords: ['chat', 'zulip', 'server', 'testing', 'openapi'],
      engines: { node: '>=22.19' },
      bin: { 'parley-server': 'bin.cjs' },
      command: './server/command.mjs',
      exports: {
        '.': library('server/library'),
        './testing': library('server/stand-in/library'),
        './openapi.json': './generated/wire.json',
        './package.json': './package.json',
      },
    },
  },
} as const satisfies Record<string, Package>

export type PackageName = keyof typeof PACKAGES

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export interface MakeOptions {
  /** Whether types are checked, which takes half of the time. */
  readonly isChecked?: boolean
}

/**
 * Builds the package in `folder`, which is emptied first.
 *
 * @throws {Error} with the compiler's output
 */
export async function makePackage(name: PackageName, folder: string, options: MakeOptions = {}): Promise<void> {
  await ensureGenerated({ complete: true })
  rmSync(folder, { recursive: true, force: true })
  const { home, files, dependencies, manifest } = PACKAGES[name]
  const copy = (from: string, to = from): void => cpSync(join(root, from), join(folder, to))
  for (const file of [...files, 'LICENSE']) copy(file)
  copy(`${home}/README.md`, 'README.md')
  // Runs the `command` of package.json if Node is new enough.
  copy('scripts/package-bin.cjs', 'bin.cjs')
  const { version, license } = ours
  const versions = { ...ours.devDependencies, ...ours.dependencies }
  const needed = Object.fromEntries(dependencies.map((one) => [one, versions[one]]))
  const whole = { name, version, license, type: 'module', ...manifest, dependencies: needed }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`)
  await compile(join(root, home, 'tsconfig.package.json'), folder, options)
}

/** Compiles what the command and the library need: no tests and no seeded faults. */
async function compile(project: string, folder: string, { isChecked = true }: MakeOptions): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  try {
    await execute(process.execPath, [compiler, '-p', project, '--outDir', folder, ...(isChecked ? [] : ['--noCheck'])])
  } catch (err) {
    throw new Error(`the package does not compile:\n${(err as { stdout?: string }).stdout ?? err}`, { cause: err })
  }
}

function isPackageName(name: string | undefined): name is PackageName {
  return name !== undefined && Object.hasOwn(PACKAGES, name)
}

if (import.meta.main) {
  const [name] = process.argv.slice(2)
  if (isPackageName(name)) {
    const folder = join(root, 'dist', name)
    await makePackage(name, folder)
    console.log(folder)
  } else {
    console.error(`usage: npm run package -- ${Object.keys(PACKAGES).join(' | ')}`)
    process.exitCode = 1
  }
}
