import type { Random } from '../../server/random-testing.ts'
import type { Attack, Attacker, Generator } from './attack.ts'
import { call, flood, flooding } from './calls.ts'

const render = (content: string) => ({ method: 'POST', path: '/api/v1/messages/render', form: { content } })
const send = ({ channel }: Attacker, content: string) => ({
  method: 'POST',
  path: '/api/v1/messages',
  form: { type: 'channel', to: channel, topic: 'attack', content },
})

/** A macro for many characters, used many times: 2.5 KB of source, a hundred thousand tokens. */
const MACRO = `$$\\def\\a{${'x'.repeat(2400)}}${'\\a'.repeat(48)}$$`
const MACRO_IN_DISPLAY = `\`\`\`math\n\\def\\a{${'x'.repeat(2400)}}${'\\a '.repeat(48)}\n\`\`\``
const NESTED_MACROS = `$$\\def\\a{x}\\def\\b{\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}\\def\\d{\\c\\c\\c\\c}${'\\d'.repeat(40)}$$`
const ACCENTS = `\`\`\`math\n${'é'.repeat(4980)}\n\`\`\``
const COLUMNS = `$$\\begin{matrix}${'&'.repeat(4900)}\\end{matrix}$$`
/** The slowest formulas of up to 1,000 characters, and as many as count in one message. */
const SLOW_FORMULAS = [
  '\\TeX'.repeat(240),
  '\\bmod '.repeat(160),
  `\\begin{matrix}${'&'.repeat(960)}\\end{matrix}`,
  'é'.repeat(990),
  `${'\\left('.repeat(70)}${'\\right)'.repeat(70)}`,
  `${'\\sqrt{'.repeat(140)}x${'}'.repeat(140)}`,
].map((tex) => `\`\`\`math\n${`${tex}\n\n`.repeat(5)}\`\`\``)
/** Lines that quotes read again and again, brackets without a link, and time zones. */
const SLOW_MARKUP = [
  'a\n>-\n'.repeat(2000),
  'a\n>```quote\n'.repeat(750),
  `${'*['.repeat(4900)}](x)`,
  'a|\n-|\n'.repeat(1600),
  Intl.supportedValuesOf('timeZone')
    .map((zone) => `<time:2020-01-01 ${zone}>`)
    .join('')
    .slice(0, 9900),
]
const SEARCHED = ['a '.repeat(4900), 'a'.repeat(9900), 'aab '.repeat(2400)]
const LONG_CODE = ['a<a<(a::', 'a ', '(a '].map((code) =>
  code
    .repeat(3300)
    .slice(0, 9900)
    .replaceAll(/(.{290})/g, '$1\n'),
)
const SLOW_LANGUAGES = ['cpp', 'c', 'csharp', 'java', 'arduino', 'mathematica', 'markdown', 'php'] as const

const SLOW_COMMANDS = `$$${'\\TeX'.repeat(240)}$$`
const MODULI = `$$${'\\bmod '.repeat(160)}$$`

function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

export const renderingAttacks: readonly Attack[] = [
  flooding('L1', 'texts in which linkifiers look for a long time', 4, (turn, attacker) =>
    send(attacker, salt(turn) + SEARCHED[turn % SEARCHED.length]),
  ),
  flooding('F1', 'formulas with macros, rendered', 4, (turn) => render(turn % 2 === 0 ? MACRO : MACRO_IN_DISPLAY)),
  flooding('F1b', 'formulas with nested macros, sent', 4, (_, attacker) => send(attacker, NESTED_MACROS)),
  {
    id: 'F2',
    what: 'short messages with long HTML, then read',
    async run(attacker) {
      for (let count = 0; count < 22 && !attacker.signal.aborted; count += 1)
        await call(attacker, send(attacker, MACRO))
      const narrow = [{ operator: 'channel', operand: attacker.channel }]
      await flood(attacker, 4, () => ({
        method: 'GET',
        path: '/api/v1/messages',
        form: { anchor: 'newest', num_before: 20, num_after: 0, narrow },
      }))
    },
  },
  flooding('F3', 'long formulas of accented letters, 205 of them', 8, (_, attacker) => send(attacker, ACCENTS)),
  flooding('F5', 'matrices of 4,900 columns, and slow commands', 8, (turn, attacker) =>
    send(attacker, [COLUMNS, SLOW_COMMANDS, MODULI][turn % 3] ?? COLUMNS),
  ),
  flooding('F5b', 'code of C, C++ and C# to be coloured', 8, (turn, attacker) =>
    send(
      attacker,
      block(['c', 'cpp', 'csharp'][turn % 3] ?? 'c', 'a<a<(a::'.repeat(610).replaceAll(/(.{290})/g, '$1\n')),
    ),
  ),
  flooding('F5c', 'the slowest formulas that are set, 20 at a time', 20, (turn) =>
    render(SLOW_FORMULAS[turn % SLOW_FORMULAS.length] ?? ''),
  ),
  flooding('F5d', 'code of 10,000 characters and of 5,000, in the slowest languages', 8, (turn, attacker) => {
    const code = LONG_CODE[turn % LONG_CODE.length] ?? ''
    const language = SLOW_LANGUAGES[turn % SLOW_LANGUAGES.length] ?? 'c'
    return send(attacker, block(language, turn % 4 === 0 ? code : code.slice(0, 4900)))
  }),
  flooding('F5e', 'markup that is read again and again, 20 at a time', 20, (turn) =>
    render(SLOW_MARKUP[turn % SLOW_MARKUP.length] ?? ''),
  ),
  flooding('F5f', 'as many mentions, topics and emoji as fit, 20 at a time', 20, (turn, attacker) => {
    const names = [
      (index: number) => `@**|${(attacker.senderIds[0] ?? 0) + index}** `,
      (index: number) => `#**${attacker.channel}>${turn}${index}** `,
      (index: number) => `:a${turn}${index}: `,
      (index: number) => `@*${turn}${index}* `,
    ]
    const name = names[turn % names.length] ?? String
    return render(
      Array.from({ length: 2000 }, (_, index) => name(index))
        .join('')
        .slice(0, 9900),
    )
  }),
]

const COMMANDS = [
  ...['\\frac{x}{y}', '\\sqrt{x}', '\\TeX', '\\bmod ', '\\left(x\\right)', '\\overbrace{x}', 'x^{y_{z}}'],
  ...['\\text{é}', '\\tag{1}', '\\binom{a}{b}', '\\xrightarrow{abc}', '\\hat{x}', '\\underset{a}{b}'],
  ...['\\begin{matrix}a&b\\end{matrix}', '\\substack{a\\\\b}', '\\mathchoice{a}{b}{c}{d}', '\\color{red}x'],
  ...['\\rule{1em}{1em}', '\\raisebox{1em}{x}', '\\smash{x}', '\\phantom{x}', '{', '}', '\\\\', '&'],
] as const
const WRAPPERS = [
  ...['\\sqrt{#}', '\\frac{#}{x}', '{#}', 'x^{#}', '\\left(#\\right)', '\\overline{#}', '\\text{#}'],
  ...['\\begin{cases}#\\end{cases}'],
] as const
const MARKS = [
  ...['*', '**', '_', '~~', '`', '``', '[', '](', ')', '![', '>', '> ', '- ', '1. ', '#', '@**', '@_**'],
  ...['@*', '#**', '**', ':smile:', ':', '<time:', '|', '|-|', '\n', '\n\n', '    ', '```\n', '```quote\n'],
  ...['```spoiler x\n', '$$', '$$x$$', 'http://a.b/', 'www.', 'a@b.c', '\\', '&amp;', '<', '~', 'é', '👍🏽'],
] as const
const LANGUAGES = 'c cpp csharp js ts python ruby perl php html css scss sql bash haskell swift markdown latex'.split(
  ' ',
)
const SNIPPETS = [
  ...['a', 'a<', '(', '"', "'", '/*', '//', '{', '}', ';', '\\', '0', '0x', '@', '#', '${', '`', '<a '],
  ...['=', ':', '\n', ' ', '-', 'f(', '[[', '"""', '=>'],
] as const

function repeated(random: Random, pieces: readonly string[], length: number): string {
  const pattern = Array.from({ length: random.between(1, 4) }, () => random.pick(pieces)).join('')
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)
}

/** A few characters that make each request different. */
const salt = (turn: number): string => `${turn} `

const named = (text: string): string => JSON.stringify(text.slice(0, 24))

export const renderingGenerators: readonly Generator[] = [
  {
    id: 'formula',
    make(random) {
      const length = random.between(200, 4000)
      const inner = repeated(random, COMMANDS, length)
      const wrapper = random.pick(WRAPPERS)
      const depth = random.between(0, 200)
      const [before = '', after = ''] = wrapper.split('#')
      const tex = before.repeat(depth) + inner + after.repeat(depth)
      const content = random.int(2) === 0 ? `$$${tex}$$` : block('math', tex)
      return {
        what: `formula ${named(tex)}`,
        run: (attacker) => flood(attacker, 6, (turn) => send(attacker, salt(turn) + content)),
      }
    },
  },
  {
    id: 'markup',
    make(random) {
      const content = repeated(random, MARKS, 9900)
      return {
        what: `markup ${named(content)}`,
        run: (attacker) => flood(attacker, 6, (turn) => send(attacker, salt(turn) + content)),
      }
    },
  },
  {
    id: 'code',
    make(random) {
      const language = random.pick(LANGUAGES)
      const code = repeated(random, SNIPPETS, 4900).replaceAll(/([^\n]{290})/g, '$1\n')
      return {
        what: `${language} ${named(code)}`,
        run: (attacker) => flood(attacker, 6, (turn) => send(attacker, `${salt(turn)}\n${block(language, code)}`)),
      }
    },
  },
]
