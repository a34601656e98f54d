import type { StateCore } from 'markdown-it'
import { nextRunOfSameLength } from './code.ts'

/** Stands for a pipe inside code while a text is cut into blocks. No text holds it: markdown-it has replaced it by then. */
const HIDDEN_PIPE = '\0'
/** A pipe behind a backslash ends no cell anyway, and markdown-it takes its backslash away. */
const PIPE = /(?<!\\)\|/g

/** Core rule before the blocks: a row of a table is cut into its cells at the pipes that it holds, and those inside code are none of them. */
export function hidePipesInCode(state: StateCore): void {
  if (state.src.includes('`') && state.src.includes('|')) state.src = state.src.split('\n').map(withoutPipes).join('\n')
}

/** Core rule behind the blocks. */
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
    // The run that ends the code begins none.
    while (line[shown] === '`') shown++
    text += line.slice(end, shown)
  }
  return text + line.slice(shown)
}
