import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { keptFolder } from '../../scripts/kept-folder.ts'
import { type Generator, programFile, run } from './generator.ts'

const VERSION = '2.8.2'

/** Types and a client for Go. */
export const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  document: 'openapi-3.0.json',
  needs: { go: 'golang-go' },
  async generate(document, folder) {
    for (const file of ['main.go', 'go.mod', 'go.sum']) cpSync(programFile(`go/${file}`), join(folder, file))
    mkdirSync(join(folder, 'parley'))
    const args = ['-generate', 'types,client,skip-prune', '-package', 'parley', '-o', 'parley/parley.go', document]
    // From the Go module proxy.
    const kept = await keptFolder(`oapi-codegen-${VERSION}`, async (draft) => {
      mkdirSync(draft)
      const source = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${VERSION}`
      await run(draft, ['go', 'install', source], { GOBIN: draft })
    })
    return await run(folder, [join(kept, 'oapi-codegen'), ...args])
  },
  warnings: (output) => output.split('\n').filter((line) => line !== ''),
  allowed: [],
  async compile(folder) {
    await run(folder, ['go', 'vet', './...'])
    await run(folder, ['go', 'build', '-o', 'program', '.'])
  },
  program: (folder) => [join(folder, 'program')],
}
