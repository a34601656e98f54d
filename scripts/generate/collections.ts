import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, formOf, type LocatedOperation, operationsOf, takesFile } from './document.ts'
import { filesOf } from './files-of.ts'
import { writeAtomically } from './write-atomically.ts'

/** A list of what the files of a folder export under one name. */
interface Collection {
  readonly file: string
  readonly folder: string
  readonly name: string
}

const COLLECTIONS: readonly Collection[] = [
  { file: 'views/state.generated.ts', folder: 'views/state', name: 'part' },
  { file: 'client/state.generated.ts', folder: 'client/state', name: 'part' },
  { file: 'conformance/own-lists.generated.ts', folder: 'conformance/own-lists', name: 'ownList' },
  { file: 'conformance/checks.generated.ts', folder: 'conformance/checks', name: 'checks' },
  { file: 'conformance/actions.generated.ts', folder: 'conformance/acts', name: 'actions' },
  { file: 'conformance/requests.generated.ts', folder: 'conformance/acts', name: 'requests' },
  { file: 'scripts/worst-calls.generated.ts', folder: 'scripts/bench/loop', name: 'worstCalls' },
  { file: 'conformance/faults-generated-testing.ts', folder: 'conformance/faults', name: 'faults' },
]

/** The files in the folder that export `name`, in alphabetical order, relative to the folder. */
function membersOf(folder: string, name: string): string[] {
  const isMember = new RegExp(`^export (?:const|function) ${name}\\b`, 'm')
  return filesOf(folder).filter((file) => isMember.test(readFileSync(join(folder, file), 'utf8')))
}

/**
 * Writes each collecting file that is missing or out of date. Files are collected by their place and an exported name.
 */
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

/** @throws {Error} that names every operation without something it needs in collected files */
export function checkCollected(root: string, document: Document): void {
  const ofOwnLists = operationsOfOwnLists(root, () => true)
  const requests = new Set([...ofOwnLists, ...matchesIn(root, 'conformance/acts', 'requests', OUTERMOST_KEY)])
  const worstCalls = new Set([
    ...operationsOfOwnLists(root, (text) => /^ {2}worst: /m.test(text)),
    ...matchesIn(root, 'scripts/bench/loop', 'worstCalls', OUTERMOST_KEY),
  ])
  const problems = operationsOf(document).flatMap((one) => {
    const { operationId: id } = one.operation
    return [
      ...(needsRightRequest(one) && !requests.has(id) ? [`${id} has no right request: conformance/acts/`] : []),
      ...(worstCalls.has(id) ? [] : [`${id} has no worst call: scripts/bench/loop/`]),
    ]
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Ids of the operations on users' own lists, named as by `operationsOf` in conformance/own-lists/own-list.ts. */
function operationsOfOwnLists(root: string, isMeant: (text: string) => boolean): string[] {
  return textsOf(root, 'conformance/own-lists', 'ownList')
    .filter(isMeant)
    .flatMap((text) => {
      const named = (what: string) => new RegExp(`^ {2}${what}: '(\\w+)'`, 'm').exec(text)?.[1]?.replaceAll('_', '-')
      const [list, item] = [named('list'), named('item')]
      const others = [...text.matchAll(/\b(?:all|make|change|remove): '([a-z0-9-]+)'/g)].map(([, id]) => String(id))
      return [`get-${list}`, `create-${item}`, `update-${item}`, `delete-${item}`, ...others]
    })
}

/** as the formatter writes it */
const OUTERMOST_KEY = /^ {2}'?([a-z0-9-]+)'?: /gm

/** The first group of each match in the files of a collection. */
function matchesIn(root: string, folder: string, name: string, pattern: RegExp): (string | undefined)[] {
  return textsOf(root, folder, name).flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found))
}

function textsOf(root: string, folder: string, name: string): string[] {
  return membersOf(join(root, folder), name).map((file) => readFileSync(join(root, folder, file), 'utf8'))
}

/** Whether the operation changes something, or needs a parameter. */
function needsRightRequest({ path, method, operation }: LocatedOperation): boolean {
  const needsParameter =
    path.includes('{') ||
    operation.parameters?.some(({ required }) => required) === true ||
    (formOf(operation)?.required ?? []).length > 0 ||
    takesFile(operation)
  return needsParameter || !['get', 'post'].includes(method)
}
