/**
 * The rules about imports, as one table; `.dependency-cruiser.mjs` is made from it. A folder may import from itself and
 * from the tiers above its own line, not from another folder of the same tier.
 */
const tiers: readonly (readonly string[])[] = [
  ['generated'],
  ['domain'],
  ['event-loop'],
  ['db', 'uploads', 'rendering', 'secrets', 'push'],
  ['permissions', 'exports'],
  ['events'],
  ['views'],
  ['actions'],
  ['handlers', 'jobs'],
  ['server'],
]

/**
 * Folders outside the tiers, and what each may import besides itself. `conformance` stays a black box in its tests too.
 */
const standalone: Readonly<Record<string, readonly string[]>> = {
  client: ['generated'],
  conformance: ['generated', 'client'],
}

/**
 * Packages that only one folder may import, besides tests and scripts: only `server` knows HTTP, only `db` knows SQL.
 */
const packageOwners: Readonly<Record<string, string>> = {
  koa: 'server',
  '@koa/router': 'server',
  'koa-bodyparser': 'server',
  knex: 'db',
  mysql2: 'db',
  'better-sqlite3': 'db',
}

/** Node modules that `domain` may import: computation only, no I/O and no clock. */
const pureNodeModules = ['assert', 'buffer', 'crypto', 'path', 'querystring', 'string_decoder', 'url', 'util']

/** Tests and test fixtures may import everything except the inside of black boxes. */
const testFiles = '\\.(test|full|long)\\.ts$|(^|/|-)testing\\.ts$|^tests/'

const inFolders = (folders: readonly string[]): string => `^(${folders.join('|')})/`

interface Condition {
  path?: string
  pathNot?: string
  circular?: boolean
  dependencyTypes?: string[]
}

export interface ForbiddenImport {
  name: string
  comment: string
  severity: 'error'
  from: Condition
  to: Condition
}

function forbid(name: string, comment: string, from: Condition, to: Condition): ForbiddenImport {
  return { name, comment, severity: 'error', from, to }
}

const imports: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    tiers.flatMap((tier, index) => tier.map((folder) => [folder, tiers.slice(0, index).flat()] as const)),
  ),
  ...standalone,
}

const folderRules = Object.entries(imports).map(([folder, others]) => {
  const allowed = [folder, ...others]
  return forbid(
    `${folder}-imports`,
    `${folder} imports only from ${allowed.join(', ')}`,
    { path: inFolders([folder]), ...(folder === 'conformance' ? {} : { pathNot: testFiles }) },
    { dependencyTypes: ['local'], pathNot: `${inFolders(allowed)}|^package\\.json$` },
  )
})

const packageRules = Object.entries(packageOwners).map(([name, owner]) =>
  forbid(
    `${name}-stays-in-${owner}`,
    `only ${owner} imports the package ${name}`,
    { pathNot: `${inFolders([owner, 'scripts'])}|${testFiles}` },
    { path: `node_modules/(@types/)?${name}/` },
  ),
)

const knownFolders = [...Object.keys(imports), 'scripts', 'tests']

/** All rules, in the form of dependency-cruiser's `forbidden`. Type-only imports count too. */
export const forbiddenImports: readonly ForbiddenImport[] = [
  ...folderRules,
  ...packageRules,
  forbid('no-cycle', 'files must not import each other in a circle', {}, { circular: true }),
  forbid('no-unknown-folder', 'every folder has a line in this table', { pathNot: inFolders(knownFolders) }, {}),
  forbid(
    'no-barrel',
    'import the file that has the thing, not an index.ts',
    {},
    { dependencyTypes: ['local'], path: '(^|/)index\\.ts$' },
  ),
  forbid(
    'no-test-import',
    'only tests and scripts import test files and fixtures',
    { pathNot: `${testFiles}|^scripts/` },
    { path: testFiles, pathNot: 'node_modules' },
  ),
  forbid(
    'pure-domain',
    'domain has no I/O and no clock',
    { path: inFolders(['domain']), pathNot: testFiles },
    { dependencyTypes: ['core'], pathNot: `^(node:)?(${pureNodeModules.join('|')})$` },
  ),
  forbid(
    'frozen-migration',
    'a migration is frozen, so it imports nothing of ours that could change under it; what it imports is frozen with it',
    { path: '^db/migrations/' },
    { dependencyTypes: ['local'], pathNot: '^db/migrations/' },
  ),
  forbid(
    'no-dev-package',
    'what runs in production must be in dependencies',
    { path: inFolders(tiers.flat()), pathNot: testFiles },
    { dependencyTypes: ['npm-dev'] },
  ),
]
