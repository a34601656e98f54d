/**
 * News fragments: one file a change, `changes/<slug>.<added|changed|fixed>.md`, so that two changes never conflict.
 * `node scripts/changelog.ts <version>` moves them all into CHANGELOG.md as that version's section, on release.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const kinds = ['added', 'changed', 'fixed'] as const
type Kind = (typeof kinds)[number]

interface Fragment {
  slug: string
  kind: Kind
  text: string
}

const fragmentName = /^[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed)\.md$/
const placeOfNextVersion = '<!-- next version -->'

const namesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'README.md') : []

/** What is wrong with the fragments in `folder`, one sentence each; empty when all is well. */
export function fragmentProblems(folder: string): string[] {
  return namesIn(folder).flatMap((name) => {
    if (!fragmentName.test(name)) return [`changes/${name}: the name must be <slug>.<${kinds.join('|')}>.md`]
    return readFileSync(join(folder, name), 'utf8').trim() === '' ? [`changes/${name}: is empty`] : []
  })
}

/** Sorted by slug. @throws Error when a fragment has problems */
function readFragments(folder: string): Fragment[] {
  const problems = fragmentProblems(folder)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return namesIn(folder)
    .sort()
    .map((name) => {
      const [slug, kind] = name.split('.') as [string, Kind] // the name was checked above
      return { slug, kind, text: readFileSync(join(folder, name), 'utf8').trim() }
    })
}

/** The section of one version in Markdown: kinds in fixed order, one list item a fragment. */
function versionSection(version: string, date: string, fragments: readonly Fragment[]): string {
  const parts = kinds.flatMap((kind) => {
    const items = fragments.filter((fragment) => fragment.kind === kind)
    if (items.length === 0) return []
    const heading = kind[0]?.toUpperCase() + kind.slice(1)
    return [`### ${heading}`, items.map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`).join('\n')]
  })
  return [`## ${version} (${date})`, ...parts].join('\n\n')
}

/**
 * Writes all fragments of `root`/changes into `root`/CHANGELOG.md, newest version first, and removes them.
 * @param date YYYY-MM-DD
 * @throws Error, before anything is written, when there is no fragment, one has problems, or the version is there
 */
export function release(root: string, version: string, date: string): void {
  const folder = join(root, 'changes')
  const path = join(root, 'CHANGELOG.md')
  const fragments = readFragments(folder)
  const changelog = readFileSync(path, 'utf8')
  if (fragments.length === 0) throw new Error('changes/ holds no fragment: nothing to release')
  if (changelog.includes(`\n## ${version} (`)) throw new Error(`CHANGELOG.md has a section ${version} already`)
  if (!changelog.includes(placeOfNextVersion)) throw new Error(`CHANGELOG.md lacks the line ${placeOfNextVersion}`)
  const section = versionSection(version, date, fragments)
  // A function as the replacement: a text with $& in it must stay as it is.
  writeFileSync(
    path,
    changelog.replace(placeOfNextVersion, () => `${placeOfNextVersion}\n\n${section}`),
  )
  for (const { slug, kind } of fragments) rmSync(join(folder, `${slug}.${kind}.md`))
}

if (import.meta.main) {
  const version = process.argv[2]
  if (version === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
    console.error('usage: node scripts/changelog.ts <version>, for example 0.2.0')
    process.exit(2)
  }
  release(join(import.meta.dirname, '..'), version, new Date().toISOString().slice(0, 10))
}
