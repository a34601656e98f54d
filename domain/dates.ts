import { LRUCache } from 'lru-cache'

/**
 * Parses dates in the forms that people write. Pure: depends on neither the clock nor the time zone of this machine.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_NAMES =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/
const IGNORED_WORDS =
  /^(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|at|of|on|the|t)$/
/** Abbreviations that mean the same zone to most writers, in minutes east of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ist: 330,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
}

const UNIX_SECONDS = /^-?\d{5,12}(?:\.\d+)?$/
/** `20170605` and `20170605T2230`, with a space in place of the T. */
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?!\d)(?: (\d{2})(\d{2})(\d{2})?(?!\d))?/
const TOKEN =
  /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?|([+-]\d{1,2}):?(\d{2})?(?![\d/-])|(\d+)(st|nd|rd|th)?|([a-z]+\/[a-z0-9_+/-]+|[a-z]+)\.?|([-/.])|[\s,()]+/gy

/** Limits dates to the years 1000 to 9999, because 17 may be a day or 2017. */
const FIRST = -30_610_224_000
const LAST = 253_402_300_799

interface Parts {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  /** Minutes east of UTC, or the name of a zone. */
  zone?: number | string
  isAfternoon?: boolean
}

/**
 * Returns a date in whole UNIX seconds, or undefined if `text` is not a date: UNIX seconds; ISO 8601; or words and
 * numbers of a date in any unambiguous order (`Jun 5th 2017, 10:30 PM America/New_York`, `5 June 2017`). A date without
 * a time means the beginning of the day, one without a zone is in UTC. Numeric dates go from large to small
 * (`2017-06-05`), or with the year last have the month first (`06/05/2017`).
 */
export function unixSecondsOf(text: string): number | undefined {
  const trimmed = text.trim()
  const seconds = UNIX_SECONDS.test(trimmed) && !/^\d{8}$/.test(trimmed) ? Math.floor(Number(trimmed)) : parse(trimmed)
  return seconds !== undefined && seconds >= FIRST && seconds <= LAST ? seconds : undefined
}

function parse(text: string): number | undefined {
  const parts: Parts = {}
  const numbers: number[] = []
  const folded = text.replace(/(?<=\d)T(?=\d)/i, ' ').toLowerCase()
  const compact = COMPACT.exec(folded)
  let end = 0
  if (compact !== null) {
    const [year, month, day, hour, minute, second = 0] = compact
      .slice(1)
      .flatMap((digits) => (digits ? Number(digits) : []))
    Object.assign(parts, { year, month, day }, hour !== undefined && { hour, minute, second })
    end = compact[0].length
  }
  TOKEN.lastIndex = end
  for (let match = TOKEN.exec(folded); match !== null; match = TOKEN.exec(folded)) {
    end = TOKEN.lastIndex
    if (!take(match, parts, numbers)) return undefined
  }
  if (end !== folded.length) return undefined
  return place(numbers, parts) ? secondsOf(parts) : undefined
}

/** Returns false if the token cannot be part of the date. */
function take(match: RegExpExecArray, parts: Parts, numbers: number[]): boolean {
  const [, hour, minute, second, zoneHours, zoneMinutes, digits, ordinal, word] = match
  if (hour !== undefined) {
    if (parts.hour !== undefined) return false
    Object.assign(parts, { hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) })
  } else if (zoneHours !== undefined && parts.hour !== undefined) {
    // UTC+2 is a zone of its own; after any other zone a further offset is an error.
    if (parts.zone !== undefined && parts.zone !== 0) return false
    const hours = Number(zoneHours)
    const minutes = Number(zoneMinutes ?? 0)
    if (Math.abs(hours) > 14 || minutes > 59) return false
    parts.zone = hours * 60 + (zoneHours.startsWith('-') ? -minutes : minutes)
  } else if (zoneHours !== undefined) {
    if (!zoneHours.startsWith('-')) return false
    // Before the time of day, `-05` is a dash and a number of the date. Four digits are not part of a date.
    numbers.push(Number(zoneHours.slice(1)))
    if (zoneMinutes !== undefined) return false
  } else if (ordinal !== undefined) {
    if (parts.day !== undefined) return false
    parts.day = Number(digits)
  } else if (digits !== undefined) numbers.push(digits.length > 4 ? Number.NaN : Number(digits))
  else if (word !== undefined) return takeWord(word, parts, numbers)
  return true
}

function takeWord(word: string, parts: Parts, numbers: number[]): boolean {
  if (IGNORED_WORDS.test(word)) return true
  if (word === 'am' || word === 'pm') {
    // In `10 PM` the preceding number is the hour.
    if (parts.hour === undefined) Object.assign(parts, { hour: numbers.pop(), minute: 0, second: 0 })
    if (parts.isAfternoon !== undefined || parts.hour === undefined) return false
    parts.isAfternoon = word === 'pm'
    return parts.hour >= 1 && parts.hour <= 12
  }
  if (MONTH_NAMES.test(word)) {
    if (parts.month !== undefined) return false
    parts.month = MONTHS.indexOf(word.slice(0, 3)) + 1
    return true
  }
  if (parts.zone !== undefined) return false
  const zone = ZONES[word] ?? (word.includes('/') && isZoneName(word) ? word : undefined)
  if (zone === undefined) return false
  parts.zone = zone
  return true
}

/** Decides what the bare numbers mean. */
function place(numbers: number[], parts: Parts): boolean {
  const unknown = (['year', 'month', 'day'] as const).filter((name) => parts[name] === undefined)
  if (numbers.length !== unknown.length) return false
  const isYearLast = unknown[0] === 'year' && !((numbers[0] ?? 0) > 31)
  const order = isYearLast ? [...unknown.slice(1), 'year' as const] : unknown
  for (const [index, name] of order.entries()) parts[name] = numbers[index] as number
  return true
}

function secondsOf({
  year,
  month,
  day,
  hour = 0,
  minute = 0,
  second = 0,
  zone = 0,
  isAfternoon,
}: Parts): number | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined
  const hourOfDay = isAfternoon === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0)
  if (hourOfDay > 23 || minute > 59 || second > 60) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hourOfDay, minute, second)
  const seconds = date.getTime() / 1000
  return typeof zone === 'number' ? seconds - zone * 60 : seconds - offsetSeconds(zone, seconds)
}

/** Each formatter takes 45 KB, and there are some 600 zones. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 20 })

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  let format = formats.get(zone)
  if (format === undefined) {
    try {
      const options = { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const
      const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', era: 'short' } as const
      format = new Intl.DateTimeFormat('en-US', { ...options, ...time })
      formats.set(zone, format)
    } catch (err) {
      if (!(err instanceof RangeError)) throw err
      return undefined // not cached: there is no end of names without a zone
    }
  }
  return format
}

function isZoneName(name: string): boolean {
  return formatOf(name) !== undefined
}

/**
 * Returns how far east of UTC the clocks of `zone` are when they show `wallSeconds`; the later offset if both are
 * possible.
 */
function offsetSeconds(zone: string, wallSeconds: number): number {
  const first = offsetAt(zone, wallSeconds)
  return offsetAt(zone, wallSeconds - first)
}

function offsetAt(zone: string, utcSeconds: number): number {
  const parts = new Map(
    formatOf(zone)
      ?.formatToParts(utcSeconds * 1000)
      .map(({ type, value }) => [type, value]),
  )
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year')
  const wall = new Date(0)
  wall.setUTCFullYear(year, number('month') - 1, number('day'))
  wall.setUTCHours(number('hour'), number('minute'), number('second'))
  return wall.getTime() / 1000 - utcSeconds
}
