/**
 * Texts that are expensive on purpose: they repeat the strings that the markup rules search for, and nest them as
 * deeply as possible.
 */
import { textsIn } from '../text/texts-testing.ts'

/** Length of the longest message. */
export const FULL_LENGTH = 10_000

/** Strings that the markup rules search for, each repeated up to the length of a message. */
export const PATTERNS = textsIn(
  '[ ] * ** *** *␣a ` > >␣ @** @**a @_**a| ~~ ~ ~~a -␣ -⏎ 1.␣ # [a]( [a](< [](x) ![ [[] ( : http:// :// ' +
    'a:// http://x␣ http://x.y/( ]( [a](b␣" >⏎ >␣>⏎ -␣-␣ ␣␣␣␣ ⇥ ⏎ < & \\ | |- `a``b *a␣**b a**b ```⏎ ~~~⏎ ' +
    '_␣ a⏎> >␣a⏎ -␣a⏎ *a_ [a]* @**Iago** [@**Iago** [` *[ >-␣ @* @*a @*crew* #** #**a> #**general␣chat** ' +
    '#**general␣chat>a #**general␣chat>a@1** <time: <time:1 <time:2020-01-01␣ ' +
    '<time:2020-01-01␣Europe/Berlin> <time:a/b> $$ $$a $$x$$ $$x$$␣ $$\\frac{ $$a\\$ $ \\$ $$⏎ : :: :a ' +
    ':tada: :tada :) :)␣ <3␣ 😀 👨\u200d 1\ufe0f\u20e3 \u20e3 \ufe0f 🇩🇪 a. a.com a.com␣ a.com/ a.com? ' +
    'a.com, a@ a@b.com a@b.com␣ a.b@ -. a:80 www. ```quote⏎ ```spoiler␣a⏎ ```spoiler␣a⏎```⏎ ~~~quote⏎```⏎ ' +
    '```math⏎ ```math⏎x⏎```⏎ ```x␣ ````quote⏎```⏎ >␣```quote⏎ -␣```quote⏎ 1.␣a⏎ 1.␣a⏎␣␣-␣b⏎ 1.␣-␣ ' +
    '*␣a⏎-␣a⏎ 1)␣ -␣⏎␣␣ a|⏎-|⏎ |a|⏎|-|⏎ a|b⏎ |⏎ \\| #␣ #⏎ ##␣##⏎ [a](/user_uploads/1/a.png) % ' +
    '[a](user_uploads/% " \' { } \u00a0 ß \ud83d \0 \r /me␣ @ \u2028',
)

/** Texts that are nested as deeply as the length allows, or have parts of different lengths. */
const WHOLES: Record<string, (length: number) => string> = {
  'nested brackets': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'nested emphasis': (length) => `${'*a **b '.repeat(length / 14)}${' b** a*'.repeat(length / 14)}`,
  'nested fences': (length) => `${'```quote\n'.repeat(length / 13)}${'```\n'.repeat(length / 13)}`,
  'longer and longer code': (length) => growing(length, (width) => `${'`'.repeat(width)} `),
  'longer and longer fences': (length) => growing(length, (width) => `${'`'.repeat(width + 3)}quote\n`),
  'wider and wider lists': (length) => growing(length, (width) => `${'  '.repeat(width)}1. a\n`),
  'a wide and a long table': (length) =>
    `${'|a'.repeat(length / 8)}\n${'|-'.repeat(length / 8)}\n${'a\n'.repeat(length / 4)}`,
  'nested formulas': (length) => `$$${'\\sqrt{'.repeat(length / 7)}x${'}'.repeat(length / 7)}$$`,
  'one long formula': (length) => `$$${'\\frac{1}{2}'.repeat(length / 12)}$$`,
  'a macro that grows': (length) => `$$\\def\\a{${'x'.repeat(length / 2)}}${'\\a'.repeat(length / 5)}$$`,
  'a macro of macros': () =>
    '$$\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c$$',
  'many small formulas': (length) => '$$\\underbrace{x}$$ '.repeat(length / 18),
  'many lines of code': (length) => `\`\`\`python\n${'def f(a="b"): # c\n'.repeat(length / 18)}`,
  'one long line of code': (length) => `\`\`\`python\n${'a'.repeat(length)}`,
  'lines that may continue a quote': (length) => 'a\n>-\n'.repeat(length / 5),
  'quotes in quotes, line by line': (length) => 'a\n>```quote\n'.repeat(length / 13),
  'quotes in wider and wider text': (length) => growing(length, (width) => `${'> '.repeat(width % 95)}a\n`),
  'wider and wider code in a quote': (length) => growing(length, (width) => `${'``\n'.repeat(width)}> >\nwww.|-|`),
  'brackets before a link': (length) => `${'*['.repeat(length / 2 - 4)}a](b)`,
  'growing emphasis around brackets': (length) => growing(length, (width) => `${'**'.repeat(width)}$[[]`),
  'many time zones': (length) =>
    Intl.supportedValuesOf('timeZone')
      .map((zone) => `<time:2020-01-01 ${zone}>`)
      .join('')
      .slice(0, length),
  'many that are none': (length) => growing(length, (width) => `<time:a/b${width}>`),
  'empty lines of code': (length) => `\`\`\`python\n${'\n'.repeat(length)}`,
}

function growing(length: number, part: (width: number) => string): string {
  let text = ''
  for (let width = 1; text.length < length; width++) text += part(width)
  return text.slice(0, length)
}

const ofPattern = (pattern: string) => (length: number) => pattern.repeat(Math.ceil(length / pattern.length))
/** Name and, for each length, a text of about that length. */
export const FORMS: readonly (readonly [string, (length: number) => string])[] = [
  ...PATTERNS.flatMap((pattern) => {
    const repeated = ofPattern(pattern)
    return [
      [pattern, repeated],
      [`x ${pattern} … )`, (length: number) => `x ${repeated(length)})`],
    ] as const
  }),
  ...Object.entries(WHOLES),
]
