import type { StateCore } from 'markdown-it'
import { nextRunOfSameLength } from './code.ts'

/**
 * Replaces a pipe inside of code while a text is cut into blocks. Texts do not contain it, because markdown-it has
 * replaced it before.
 */
const HIDDEN_PIPE = '\0'
/** A pipe after a backslash does not end a cell anyway, and markdown-it removes the backslash. */
const PIPE = /(?<!\\)\|/g

/** Core rule that runs before the blocks, so that rows of tables are not cut into cells at pipes inside of code. */
export function hidePipesInCode(state: StateCore): void {
  if (state.src.includes('`') && state.src.includes('|')) state.src = state.src.split('\n').map(withoutPipes).join('\n')
}

/** Core rule that runs after the blocks. */
export function showPipesInCode(state: StateCore): void {
  if (!state.src.includes(HIDDEN_PIPE)) return
  for (const token of state.tokens) {
    token.content = token.content.replaceAll(HIDDEN_PIPE, '|')
    token.info = token.info.replaceAll(HIDDEN_PIPE, '|')
  }
}

function withoutPipes(line: string): string {
  const next = nextRunOfSameLength(line)
  let text = ''
  let shown = 0
  for (const { index } of line.matchAll(/`+/g)) {
    const end = next[index]
    if (index < shown || end === undefined) continue
    text += line.slice(shown, index) + line.slice(index, end).replace(PIPE, HIDDEN_PIPE)
    shown = end
    // The run that ends the code does not begin another one.
    while (line[shown] === '`') shown++
    text += line.slice(end, shown)
  }
  return text + line.slice(shown)
}
