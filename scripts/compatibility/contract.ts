import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly responses?: {
    readonly '200'?: { readonly content?: { readonly 'application/json'?: { readonly schema?: AnswerSchema } } }
  }
}

interface AnswerSchema {
  readonly properties?: Readonly<Record<string, unknown>>
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../generated/decoded.json'), 'utf8')) as Document

/** Whether the contract has an operation for the call. What it has not is not there yet, and no fault. */
export function isInContract(method: string, pathOrUrl: string): boolean {
  const path = URL.canParse(pathOrUrl) ? new URL(pathOrUrl).pathname : pathOrUrl
  return Object.entries(document.paths).some(
    ([template, operations]) =>
      operations[method.toLowerCase()] !== undefined &&
      new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  )
}

/** Whether the answer to POST /register has a field of this name. */
export function isRegisterField(name: string): boolean {
  const schema = document.paths['/register']?.post?.responses?.['200']?.content?.['application/json']?.schema
  if (!schema?.properties) throw new Error('the contract does not describe the answer to POST /register')
  return Object.hasOwn(schema.properties, name)
}
