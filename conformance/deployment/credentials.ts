import { readFileSync } from 'node:fs'
import type { Login } from '../wire/http.ts'

/** The suite cannot run with these options; exit code 2. */
export class CannotRunError extends Error {
  override readonly name = 'CannotRunError'
}

export interface Credentials {
  /** Address of the server, if the file has one. */
  readonly url: string | undefined
  /** At least one. */
  readonly logins: readonly Login[]
}

/** @throws {CannotRunError} if the file cannot be read, or is neither a demo-credentials.json nor a zuliprc */
export function readCredentials(file: string): Credentials {
  const text = readText(file)
  const credentials = text.trimStart().startsWith('{') ? fromJson(text, file) : fromZuliprc(text)
  if (credentials.logins.length === 0) {
    throw new CannotRunError(
      `${file} has no credentials: it needs "users" with "email" and "api_key" each, or a section [api] with email and key`,
    )
  }
  return credentials
}

/** @throws {CannotRunError} if the file cannot be read */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (err) {
    throw new CannotRunError(`${file} cannot be read: ${err instanceof Error ? err.message : err}`)
  }
}

function fromJson(text: string, file: string): Credentials {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (err) {
    throw new CannotRunError(`${file} is not JSON: ${err instanceof Error ? err.message : err}`)
  }
  const { base_url: url, users } = value as { base_url?: unknown; users?: unknown }
  const entries = typeof users === 'object' && users !== null ? Object.values(users) : []
  return {
    url: typeof url === 'string' ? url : undefined,
    logins: entries.flatMap((user: { email?: unknown; api_key?: unknown }) =>
      typeof user?.email === 'string' && typeof user.api_key === 'string'
        ? [{ email: user.email, apiKey: user.api_key }]
        : [],
    ),
  }
}

function fromZuliprc(text: string): Credentials {
  const values = new Map<string, string>()
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1]?.trim() ?? section
    const [, name, value] = /^\s*(\w+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (section === 'api' && name !== undefined && value !== undefined) values.set(name.toLowerCase(), value)
  }
  const email = values.get('email')
  const apiKey = values.get('key')
  return { url: values.get('site'), logins: email && apiKey ? [{ email, apiKey }] : [] }
}
