import type { Exchange, Login } from './http.ts'

/** The variable in which a script finds the address and API key of an account. */
function variableOf({ email }: Pick<Login, 'email'>): string {
  const [name = ''] = email.split('@')
  return `${name
    .toUpperCase()
    .replaceAll(/\W+/g, '_')
    .replace(/^(?=\d)/, '_')}_LOGIN`
}

/** A shell script that sets the variables for `curlScript` from the credentials of `logins`. */
export function loginScript(logins: readonly Login[]): string {
  return logins.map((login) => `export ${variableOf(login)}=${quoted(`${login.email}:${login.apiKey}`)}\n`).join('')
}

/**
 * A shell script that sends the request again. It contains no API key: it takes the caller's from a variable, which a
 * run with `--keep` writes down.
 */
export function curlScript({ url, request }: Pick<Exchange, 'url' | 'request'>): string {
  const variable = request.as && variableOf(request.as)
  const lines = [
    '#!/bin/sh',
    ...(variable
      ? [`: "\${${variable}:?is EMAIL:API_KEY of a ${request.caller}; a run with --keep writes it down}"`]
      : []),
    [
      `curl -sS -i -g -X ${request.method} ${quoted(url)}`,
      ...(variable ? [`-u "$${variable}"`] : []),
      ...(request.range === undefined ? [] : [`-H ${quoted(`Range: ${request.range}`)}`]),
      ...bodyFlags(request),
    ].join(' \\\n  '),
  ]
  return `${lines.join('\n')}\n`
}

function bodyFlags({ form = [], file, raw }: Exchange['request']): string[] {
  if (raw) return [`-H ${quoted(`Content-Type: ${raw.type}`)}`, `--data-binary ${quoted(raw.body)}`]
  if (file) {
    const fields = form.map(([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`)
    return [...fields, `-F ${quoted(`${file.name}=${file.content};filename=${file.fileName};type=text/plain`)}`]
  }
  if (form.length === 0) return []
  return [`--data-raw ${quoted(String(new URLSearchParams(form as [string, string][])))}`]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
