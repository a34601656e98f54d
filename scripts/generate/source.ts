import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { parse } from 'yaml'
import type { Document, Schema } from './document.ts'
import type { ErrorTable } from './errors.ts'
import { LOCAL } from './schema.ts'
import { defaultsOf, propertiesOf, type Settings, type SettingTables, type UseOfSettings } from './settings.ts'

export interface Source {
  document: Document
  errors: ErrorTable
  settings: SettingTables
}

type Node = Record<string, unknown>

/**
 * Reads `openapi/` into one document. A referenced schema in `schemas/` or `events/` becomes a component under its name
 * (so each name is unique in the contract), `{ $ref, x-partial: true }` becomes a component `Partial<Name>` without
 * required properties, and every other reference is replaced by its target. `x-settings: { of, as }` adds the settings
 * of a file in `settings/` to the properties; `x-required: all` requires every property.
 *
 * `x-one-of: folder` is one of the event schemas in that folder.
 *
 * @throws {Error} that names file and reference, if a reference leads nowhere, a name is used twice, or a schema is
 * unused
 */
export async function readSource(openapiFolder: string): Promise<Source> {
  const root = resolve(openapiFolder)
  const files = filesOf(root)
  const components = new Map<string, { file: string; schema: Schema }>()

  function read(file: string): Node {
    const content = files[file]
    if (content === undefined) throw new Error(`${relative(root, file)}: no such file`)
    return content
  }

  function find(reference: string, from: string): { file: string; name: string; value: unknown } {
    const [path = '', pointer = ''] = reference.split('#')
    const file = path === '' ? from : resolve(dirname(from), path)
    const name = pointer.slice(1)
    const value = read(file)[name]
    if (value === undefined) throw new Error(`${relative(root, from)}: ${reference} leads nowhere`)
    return { file, name, value }
  }

  function component(file: string, name: string, value: unknown): string {
    const known = components.get(name)
    if (known !== undefined && known.file !== file) {
      throw new Error(`the name ${name} is used in ${relative(root, known.file)} and in ${relative(root, file)}`)
    }
    if (known === undefined) {
      const entry = { file, schema: {} }
      components.set(name, entry) // set before its content is visited, because schemas may refer to each other
      entry.schema = visit(value, file) as Schema
    }
    return LOCAL + name
  }

  function partial(file: string, name: string, value: unknown): string {
    component(file, name, value)
    const { required: _, 'x-required': __, ...rest } = value as Schema & Node
    return component(file, `Partial${name}`, rest)
  }

  function withSettings({ 'x-settings': use, ...node }: Node, file: string): unknown {
    const uses = [use].flat() as UseOfSettings[]
    const found = uses.map((one) => ({ use: one, ...find(one.of, file) }))
    const own = visit(node, file) as Schema
    const defaults = Object.assign({}, ...found.map((one) => defaultsOf(one.value as Settings, one.use)))
    const fields = found.map((one) => visit(propertiesOf(one.value as Settings, one.use), one.file) as Node)
    const isAnswer = uses.every(({ as }) => as === 'fields')
    return {
      ...own,
      ...(isAnswer &&
        own.examples && { examples: own.examples.map((example) => ({ ...defaults, ...(example as Node) })) }),
      properties: Object.assign({}, own.properties, ...fields, own.properties),
    }
  }

  function withAllRequired({ 'x-required': _, ...node }: Node, file: string): unknown {
    const schema = visit(node, file) as Schema
    return { ...schema, required: Object.keys(schema.properties ?? {}) }
  }

  function withUnionOf({ 'x-one-of': folder, ...node }: Node, file: string): unknown {
    const path = resolve(dirname(file), String(folder))
    const oneOf = filesIn(path).flatMap((one) =>
      Object.entries(read(one)).flatMap(([name, value]) =>
        name.endsWith('Event') ? [{ $ref: component(one, name, value) }] : [],
      ),
    )
    return { ...(visit(node, file) as Schema), oneOf }
  }

  function visit(node: unknown, file: string): unknown {
    if (Array.isArray(node)) return node.map((item) => visit(item, file))
    if (node === null || typeof node !== 'object') return node
    if ('x-one-of' in node) return withUnionOf(node as Node, file)
    if ('x-required' in node) return withAllRequired(node as Node, file)
    if ('x-settings' in node) return withSettings(node as Node, file)
    const { $ref: reference, ...siblings } = node as Node
    if (typeof reference !== 'string') {
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, isExample(key) ? value : visit(value, file)]),
      )
    }
    const target = find(reference, file)
    if (!/^(schemas|events)\//.test(relative(root, target.file))) return visit(target.value, target.file)
    const { 'x-partial': isPartial, ...rest } = siblings
    const $ref = (isPartial === true ? partial : component)(target.file, target.name, target.value)
    return { $ref, ...(visit(rest, file) as Node) }
  }

  const rootFile = join(root, 'openapi.yaml')
  const document = visit(read(rootFile), rootFile) as Document
  const errors = read(join(root, 'errors.yaml')) as ErrorTable
  for (const folder of ['schemas', 'events']) {
    for (const path of filesIn(join(root, folder))) {
      for (const name of Object.keys(read(path))) {
        if (components.get(name)?.file !== path) throw new Error(`${relative(root, path)}: ${name} is used by nobody`)
      }
    }
  }
  const sorted = [...components].sort(([a], [b]) => (a < b ? -1 : 1))
  document.components.schemas = Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]))
  return { document, errors, settings: settingTables(root, read) }
}

/** The document with every reference replaced by its target. */
export async function dereferenced(document: Document): Promise<Document> {
  const copy = structuredClone(document) as unknown as Parameters<typeof SwaggerParser.dereference>[0]
  return (await SwaggerParser.dereference(copy)) as unknown as Document
}

/** The content of the contract's files, by path. */
function filesOf(root: string): Record<string, Node> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
  return Object.fromEntries(
    names.map((name) => {
      const content = parse(readFileSync(join(root, name), 'utf8')) as Node
      const stray = strayKeys(content)
      if (stray.length > 0) throw new Error(`${name}: quote the text before the comma: ${stray.join('; ')}`)
      return [join(root, name), content]
    }),
  )
}

/** Tables of `settings/`, by file name and key. */
function settingTables(root: string, read: (file: string) => Node): SettingTables {
  const tables = filesIn(join(root, 'settings')).flatMap((file) =>
    Object.entries(read(file)).map(([key, table]) => [`${basename(file, '.yaml')}.${key}`, table as Settings] as const),
  )
  return Object.fromEntries(tables)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}

/** Keys that are the rest of an unquoted text: in `{ says: small, round }` YAML reads a key `round` without a value. */
function strayKeys(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, value]) => (value === null && /[ .]/.test(key) ? [key] : strayKeys(value)))
}

function isExample(key: string): boolean {
  return key === 'example' || key === 'examples'
}
