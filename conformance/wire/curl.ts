import type { Exchange } from './http.ts'

/**
 * A shell script that sends the request again. It holds no API key: the caller's stands in a variable that the script
 * asks for.
 */
export function curlScript({ url, request }: Pick<Exchange, 'url' | 'request'>): string {
  const variable = `${request.caller.toUpperCase().replaceAll(/\W+/g, '_')}_LOGIN`
  const lines = [
    '#!/bin/sh',
    ...(request.as ? [`: "\${${variable}:?set it to EMAIL:API_KEY, caller: ${request.caller}}"`] : []),
    [
      `curl -sS -i -g -X ${request.method} ${quoted(url)}`,
      ...(request.as ? [`-u "$${variable}"`] : []),
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
