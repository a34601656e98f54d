/**
 * `npm run test:full -- generators`: makes clients from the documents that a server serves, with the generators that
 * people use, compiles them, and calls the server with them. The clients stay in the folder PARLEY_CLIENTS if that is
 * set. If the machine lacks a generator's language, that generator is left out, loudly; with CI set that is a failure.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { sharedServer } from '../../conformance/server-pool-testing.ts'
import { type Generator, run, type Seen, whatLacks } from './generator.ts'
import { oapiCodegen } from './oapi-codegen.ts'
import { openapiGenerator } from './openapi-generator.ts'
import { openapiPythonClient } from './openapi-python-client.ts'
import { openapiTypescript } from './openapi-typescript.ts'

const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
const server = sharedServer({ PARLEY_CHECK_ANSWERS: 'on' })

const kept = process.env.PARLEY_CLIENTS
// Not below node_modules: TypeScript takes code there for others' work, and compiles none of it.
const clients = kept === undefined ? mkdtempSync(join(tmpdir(), 'parley-clients-')) : resolve(kept)
after(() => {
  if (kept === undefined) rmSync(clients, { recursive: true })
})

/** Everything that an encoding could get wrong. */
const CONTENT = 'Grüße & a=b; +1 100% "quoted" \'too\' {x} 🐙'

for (const generator of [openapiTypescript, openapiPythonClient, oapiCodegen, openapiGenerator]) {
  test(`U2: ${generator.name}`, async (t) => {
    const lacking = whatLacks(generator)
    if (lacking !== undefined) {
      assert.ok(!isCi, lacking)
      console.log(`!!!!!! ${generator.name} IS LEFT OUT: ${lacking} !!!!!!`)
      return t.skip(lacking)
    }
    const folder = join(clients, generator.name.replaceAll(/\W+/g, '-'))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const output = await generator.generate(await servedDocument(generator, folder), folder)
    assert.deepEqual(unexpectedWarnings(generator, output), [])
    await generator.compile(folder)
    assert.deepEqual(await seenBy(generator, folder), {
      health: 'ok',
      sent: 'an ID',
      found: [CONTENT],
      event: CONTENT,
      role: 100,
      refused: 'BAD_REQUEST',
    })
  })
}

/** Path of the document that the generator reads, as the server serves it. */
async function servedDocument({ document }: Generator, folder: string): Promise<string> {
  const { url } = await server()
  const file = join(folder, document)
  const response = await fetch(`${url}/api/v1/${document}`)
  assert.equal(response.status, 200)
  writeFileSync(file, await response.text())
  return file
}

/** Warnings that are not allowed, and allowed warnings that did not come. */
function unexpectedWarnings({ warnings, allowed }: Generator, output: string): string[] {
  const lines = warnings(output)
  return [
    ...lines.filter((line) => !allowed.some(({ warning }) => warning.test(line))),
    ...allowed
      .filter(({ warning }) => !lines.some((line) => warning.test(line)))
      .map(({ warning }) => `${warning} did not come`),
  ]
}

/** The program's output; in place of the message's ID, whether it was an ID. */
async function seenBy(generator: Generator, folder: string): Promise<Record<keyof Seen, unknown>> {
  const { url, logins } = await server()
  const owner = logins.find(({ email }) => email.startsWith('owner@')) ?? assert.fail('there is no owner')
  const printed = await run(folder, await generator.program(folder), {
    PARLEY_URL: url,
    PARLEY_LOGIN: `${owner.email}:${owner.apiKey}`,
    PARLEY_TOPIC: `made by ${generator.name} & + 100%`,
    PARLEY_CONTENT: CONTENT,
  })
  const seen = JSON.parse(printed) as Seen
  return { ...seen, sent: Number.isInteger(seen.sent) && seen.sent > 0 ? 'an ID' : seen.sent }
}
