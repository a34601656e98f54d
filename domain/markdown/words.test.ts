import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { textsIn } from '../text/texts-testing.ts'
import { renderMessage } from './render.ts'
import { directory, rendererOf } from './testing.ts'

const scope = { ...directory, renderPiece: await rendererOf() }

/**
 * Markup that begins or ends something. A word follows each. There is no `|`, because a table drops cells without a
 * column.
 */
const MARKS = textsIn(
  '⏎ ⏎⏎ ␣ ⏎␣␣␣␣ ⇥ *␣ * ** *** _ ~~ ` `` ⏎```⏎ ⏎~~~⏎ ⏎```quote⏎ ⏎```spoiler⏎ ⏎```math⏎ ⏎>␣ ⏎> ⏎-␣ ⏎*␣ ' +
    '⏎+␣ ⏎1.␣ ⏎7.␣ ⏎␣␣-␣ ⏎#␣ ⏎---⏎ [ ]( ) ](http:// ![ < > & " \\ $ $$ @ @** #** : :// ␣http:// .com␣ ' +
    '<time: > { } \\frac{ ( ␣:tada:␣ 🎉 \u00a0',
)

test('keep all words', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...MARKS), { maxLength: 40, size: 'max' }), (marks) => {
      const content = marks.map((mark, index) => `${mark}zz${index}zz`).join('')
      const { html } = renderMessage(content, scope)
      for (const index of marks.keys()) {
        assert.ok(html.includes(`zz${index}zz`), `zz${index}zz of ${JSON.stringify(content)} in ${html}`)
      }
    }),
    { numRuns: 1500 },
  )
})
