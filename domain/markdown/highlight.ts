import type { Emitter, HLJSApi } from 'highlight.js'
import { escapeHtml } from './escape-html.ts'

/**
 * Returns the HTML of `code` as spans with classes, whose text is exactly `code`; undefined if the grammar does not
 * exist.
 */
export type Highlight = (code: string, grammar: string) => string | undefined

/**
 * Class of a scope of highlight.js, in the short names of Pygments, for which clients have colours. A scope that has no
 * entry, not even for its part before a dot, has the class of the scope around it.
 */
const CLASSES: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'k',
  'char.escape': 'se',
  char: 'sc',
  class: 'nc',
  code: 's',
  comment: 'c',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  function: '',
  keyword: 'k',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  params: '',
  property: 'n',
  punctuation: 'p',
  quote: 'c',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.function': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
}

/** Text in one scope, while a grammar reads the code. */
interface Piece {
  readonly className: string
  text: string
}

/** Emits flat spans like Pygments: text in several scopes has the class of the innermost one. */
class PygmentsEmitter implements Emitter {
  readonly pieces: Piece[] = []
  readonly #scopes: string[] = ['']

  startScope(name: string): void {
    const outer = this.#scopes.at(-1) as string
    // `include` is not a keyword of C, but part of the directive.
    this.#scopes.push(outer === 'cp' && name === 'keyword' ? outer : (classOf(name) ?? outer))
  }
  endScope(): void {
    if (this.#scopes.length > 1) this.#scopes.pop()
  }
  /** Same methods under the names that the library uses for modes. */
  openNode(name: string): void {
    this.startScope(name)
  }
  closeNode(): void {
    this.endScope()
  }
  addText(text: string): void {
    if (text === '') return
    const className = this.#scopes.at(-1) as string
    const last = this.pieces.at(-1)
    if (last?.className === className) last.text += text
    else this.pieces.push({ className, text })
  }
  /** Called for embedded code of another language, whose emitter is also a PygmentsEmitter. */
  __addSublanguage(inner: Emitter): void {
    this.pieces.push(...(inner as PygmentsEmitter).pieces)
  }
  finalize(): void {}
  toHTML(): string {
    return this.pieces.map(htmlOf).join('')
  }
}

/** Makes `hljs`, which must not be shared, emit classes of Pygments. */
export function highlighterOf(hljs: HLJSApi): Highlight {
  hljs.configure({ __emitter: PygmentsEmitter })
  return (code, grammar) =>
    hljs.getLanguage(grammar) && hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value
}

function classOf(scope: string): string | undefined {
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    if (Object.hasOwn(CLASSES, name)) return CLASSES[name]
  }
  return undefined
}

function htmlOf({ className, text }: Piece): string {
  if (className === '' || text.trim() === '') return escapeHtml(text)
  return `<span class="${refined(className, text)}">${escapeHtml(text)}</span>`
}

/** Returns a more precise class where Pygments divides a scope of highlight.js. */
function refined(className: string, text: string): string {
  switch (className) {
    case 'c':
      return text.startsWith('/*') || text.startsWith('<!--') ? 'cm' : text.includes('\n') ? 'cm' : 'c1'
    case 'm':
      if (/^[-+]?0x/i.test(text)) return 'mh'
      return /[.e]/i.test(text) ? 'mf' : 'mi'
    case 's':
      if (text.startsWith('"')) return 's2'
      return text.startsWith("'") ? 's1' : 's'
    case 'cp':
      return text.startsWith('@') ? 'nd' : 'cp'
    default:
      return className
  }
}
