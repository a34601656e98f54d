import type { StateInline, Token } from 'markdown-it'
import { unixSecondsOf } from '../dates.ts'
import { MAX_ZONED_DATES } from './bounds.ts'
import { escapeHtml } from './escape-html.ts'
import { type ParsingScope, scopeOf } from './scope.ts'

/** `<time:date>`, no longer than a date can be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a date has none
const TIME = /<time:([^<>\0-\x1f\x7f]{1,100})>/y
const LESS_THAN = 0x3c
/** Matches possible names of a time zone, such as Europe/Berlin. */
const ZONED = /[a-z_]\//i

/** Inline rule. Text that is not a date stays (level 451). */
export function timeRule(state: StateInline, isSpeculative: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN || !state.src.startsWith('<time:', state.pos)) return false
  TIME.lastIndex = state.pos
  const text = TIME.exec(state.src)?.[1]
  if (text === undefined || TIME.lastIndex > state.posMax) return false
  const end = TIME.lastIndex
  const seconds = secondsOf(text, scopeOf(state))
  if (seconds === undefined) return false
  if (!isSpeculative) Object.assign(state.push('time', 'time', 0), { content: text, meta: { seconds } })
  state.pos = end
  return true
}

function secondsOf(text: string, { zonedDates }: ParsingScope): number | undefined {
  if (!ZONED.test(text)) return unixSecondsOf(text)
  if (!zonedDates.has(text) && zonedDates.size < MAX_ZONED_DATES) zonedDates.set(text, unixSecondsOf(text))
  return zonedDates.get(text)
}

export function renderTime(tokens: Token[], index: number): string {
  const { content, meta } = tokens[index] as Token
  const utc = new Date(Number(meta?.seconds) * 1000).toISOString().replace('.000Z', 'Z')
  return `<time datetime="${utc}">${escapeHtml(content)}</time>`
}
