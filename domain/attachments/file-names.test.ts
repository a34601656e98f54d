import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { contentDisposition, displayFileName, pathFileName } from './file-names.ts'

test('show a name as given, without folders, invisible characters and leading dots', () => {
  const expected: Record<string, string> = {
    'report.pdf': 'report.pdf',
    'über die Größe (2).txt': 'über die Größe (2).txt',
    '日本語 🎉.png': '日本語 🎉.png',
    '../../etc/passwd': 'passwd',
    'C:\\Users\\me\\plan.doc': 'plan.doc',
    '..': 'file',
    '...': 'file',
    '.htaccess': 'htaccess',
    ' . .hidden': 'hidden',
    'a/': 'file',
    '': 'file',
    'a\0b\r\nc.txt': 'abc.txt',
    'photo\u202egnp.exe': 'photognp.exe',
    'half \ud800.txt': 'half \ufffd.txt',
    '"; filename="x': '"; filename="x',
  }
  for (const [claimed, name] of Object.entries(expected)) assert.equal(displayFileName(claimed), name, claimed)
})

test('make the last part of an address from it', () => {
  const expected: Record<string, string> = {
    'report.pdf': 'report.pdf',
    'über die Größe (2).txt': 'über-die-Größe-2.txt',
    'u\u0308ber.txt': 'über.txt',
    '日本語.png': '日本語.png',
    '🎉': 'file',
    '()': 'file',
    '🎉.png': 'file.png',
    '(!) . (?).tar.gz': 'file.tar.gz',
    '€-price.txt': 'price.txt',
    'a"b<c>d`e.html': 'a-b-c-d-e.html',
    'ends with dots...': 'ends-with-dots',
    'a -.- b.txt': 'a.-b.txt',
    '%2e%2e%2f': '2e-2e-2f',
  }
  for (const [name, end] of Object.entries(expected)) assert.equal(pathFileName(name), end, name)
})

test('cut long names, and keep their extension', () => {
  const name = displayFileName(`${'ä'.repeat(400)}.tar.gz`)
  assert.deepEqual([[...name].length, name.slice(-6)], [255, 'äää.gz'])
  const end = pathFileName(name)
  assert.deepEqual([[...end].length, end.slice(-4)], [100, 'ä.gz'])
  assert.equal([...displayFileName(`a.${'x'.repeat(300)}`)].length, 255)
})

test('every name is safe, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string()), (claimed) => {
      const name = displayFileName(claimed)
      assert.ok(name !== '' && [...name].length <= 255 && name.isWellFormed())
      assert.doesNotMatch(name, /[/\\\p{Cc}]|^\./u)
      assert.equal(displayFileName(name).trim(), name.trim())
      const end = pathFileName(name)
      assert.match(end, /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]{0,99}$/u)
      assert.doesNotMatch(end, /[.-]$/)
      assert.equal(pathFileName(end), end)
      assert.match(
        contentDisposition('attachment', name),
        /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
      )
    }),
  )
})

test('name the file twice: in ASCII, and in full', () => {
  assert.equal(
    contentDisposition('inline', 'a "Größe" 100%.png'),
    `inline; filename="a _Gr__e_ 100_.png"; filename*=UTF-8''a%20%22Gr%C3%B6%C3%9Fe%22%20100%25.png`,
  )
})
