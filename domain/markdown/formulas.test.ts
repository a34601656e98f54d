import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from './escape-html.ts'
import { rendered } from './testing.ts'

/** Classes around every formula. */
const AROUND = 'katex katex-mathml katex-html base strut'
/** Classes that stack one thing above another. */
const STACKED = 'vlist-t vlist-t2 vlist-r vlist pstrut vlist-s'
const SMALL = 'sizing reset-size6 size3 mtight'

/** Displayed formula → the classes of its HTML, as in KaTeX 0.16. */
const CLASSES: Readonly<Record<string, string>> = {
  x: 'mord mathnormal',
  '\\frac{a}{b}': `mord mathnormal mfrac frac-line mopen nulldelimiter mclose ${STACKED}`,
  '\\sqrt[3]{x}': `mord mathnormal sqrt root svg-align hide-tail sizing reset-size6 size1 mtight ${STACKED}`,
  '\\begin{array}{c|c} a & b \\\\ \\hline c & d \\end{array}': `mord mathnormal mtable arraycolsep col-align-c vertical-separator hline ${STACKED}`,
  '\\underbrace{x}_{y}': `minner munder mord mathnormal svg-align stretchy brace-left brace-center brace-right ${SMALL} ${STACKED}`,
  'x \\tag{1}': 'mord mathnormal tag text',
}

function classesIn(html: string): string[] {
  const values = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, value]) => value?.match(/\S+/g) ?? [])
  return [...new Set(values)].sort()
}

test('are rendered with the class names of KaTeX 0.16, which clients know', async () => {
  for (const [tex, classes] of Object.entries(CLASSES)) {
    const { html } = await rendered(`\`\`\`math\n${tex}\n\`\`\``)
    assert.deepEqual(classesIn(html), `katex-display ${AROUND} ${classes}`.split(' ').sort(), tex)
  }
})

test('that define commands, or write into a log, stay source (SEC-RENDER-4, DIFF-FORMULAS)', async () => {
  for (const tex of [
    '\\def\\a{x}\\a',
    '\\gdef\\a{x}\\a',
    '\\edef\\a{x}\\a',
    '\\xdef\\a{x}\\a',
    '\\let\\a=x\\a',
    '\\futurelet\\a xx',
    '\\global\\def\\a{x}\\a',
    '\\long\\def\\a{x}\\a',
    '\\newcommand{\\a}{x}\\a',
    '\\renewcommand\\frac{x}\\frac',
    '\\providecommand{\\a}[1]{#1}\\a x',
    '{\\text{\\def \\a{x}\\a}}',
    '\\message{x}',
    '\\errmessage{x}',
    '\\show\\a',
  ]) {
    const shown = escapeHtml(tex)
    const displayed = await rendered(`\`\`\`math\n${tex}\n\`\`\``)
    assert.equal(displayed.html, `<p><span class="tex-error">${shown}</span></p>`)
    assert.equal((await rendered(`$$${tex}$$`)).html, `<p><span class="tex-error">$$${shown}$$</span></p>`)
  }
})

test('may have commands that only look like definitions', async () => {
  for (const tex of ['a \\\\def', '\\lessgtr x', '\\longrightarrow', '\\leftarrow', '\\defeq', 'x \\tag{1}']) {
    if (tex === '\\defeq') assert.match((await rendered(`$$${tex}$$`)).html, /tex-error/, 'KaTeX does not know it')
    else assert.match((await rendered(`\`\`\`math\n${tex}\n\`\`\``)).html, /class="katex"/, tex)
  }
})

test('are rendered up to 1,000 characters each (SEC-RENDER-4)', async () => {
  const { html } = await rendered(`\`\`\`math\n${'x'.repeat(1000)}\n\n${'x'.repeat(1001)}\n\`\`\``)
  assert.equal(html.match(/class="katex"/g)?.length, 1)
  assert.ok(html.endsWith(`<span class="tex-error">${'x'.repeat(1001)}</span></p>`))
})

test('stay source if their HTML, and then the whole markup, would be too long (SEC-RENDER-4)', async () => {
  const long = 'é'.repeat(250)
  const one = `\`\`\`math\n${long}\n\`\`\``
  assert.match((await rendered(one)).html, /class="katex"/)
  const { html, mentionedUserIds } = await rendered(`**b** @**Iago**\n${`${one}\n`.repeat(12)}`)
  assert.match(html, /^<p><strong>b<\/strong>/)
  assert.equal(html.includes('katex'), false)
  assert.equal(html.match(/tex-error/g)?.length, 12)
  assert.deepEqual([...mentionedUserIds], [5])

  const text = `**b** @**Iago** [c](/user_uploads/1/ab/c)\n${'😀'.repeat(5000)}`
  const plain = await rendered(text)
  assert.equal(plain.html, `<p>${text.replace('\n', '<br>\n')}</p>`)
  assert.deepEqual([...plain.mentionedUserIds], [], 'who is not named there is not mentioned')
  assert.deepEqual(plain.attachmentPathIds, ['1/ab/c'], 'its file is not unused')
})
