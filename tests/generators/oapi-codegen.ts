import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Generator, programFile, run } from './generator.ts'
import { oapiCodegenProgram } from './tools.ts'

/** Types and a client for Go. */
export const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  document: 'openapi-3.0.json',
  needs: { go: 'golang-go' },
  async generate(document, folder) {
    for (const file of ['main.go', 'go.mod', 'go.sum']) cpSync(programFile(`go/${file}`), join(folder, file))
    mkdirSync(join(folder, 'parley'))
    const args = ['-generate', 'types,client,skip-prune', '-package', 'parley', '-o', 'parley/parley.go', document]
    return await run(folder, [await oapiCodegenProgram(), ...args])
  },
  warnings: (output) => output.split('\n').filter((line) => line !== ''),
  allowed: [],
  async compile(folder) {
    await run(folder, ['go', 'vet', './...'])
    await run(folder, ['go', 'build', '-o', 'program', '.'])
  },
  program: (folder) => [join(folder, 'program')],
}
