const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * Parses an ISO 8601 date, with or without a time, to UNIX seconds with a fraction; UTC if it has no zone. Returns
 * undefined for anything else.
 */
export function secondsOfIsoTime(text: string): number | undefined {
  const match = DATE.exec(text.trim())
  if (!match) return undefined
  const [, date = '', time = '00:00', zone = 'Z'] = match
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const milliseconds = Date.parse(`${date}T${time.replace(',', '.')}${offset}`)
  // Date.parse accepts the 31st of February as a day in March.
  const isReal = new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) === true
  return isReal && !Number.isNaN(milliseconds) ? milliseconds / 1000 : undefined
}
