import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptFolder } from '../../scripts/kept-folder.ts'
import { compileTypeScript, type Generator, programFile, run, strictTypeScript } from './generator.ts'

/** 7.14 sends `True`, and drops fields of events. */
const VERSION = '7.25.0'

/** A class for each tag, with the platform's fetch. */
export const openapiGenerator: Generator = {
  name: 'openapi-generator, typescript-fetch',
  document: 'openapi-3.0.json',
  needs: { java: 'default-jre-headless', mvn: 'maven' },
  async generate(document, folder) {
    cpSync(programFile('typescript-fetch/program.ts'), join(folder, 'program.ts'))
    const options = { ...strictTypeScript, module: 'commonjs', outDir: 'compiled' }
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
    // From Maven Central.
    const kept = await keptFolder(`openapi-generator-${VERSION}`, async (draft) => {
      mkdirSync(draft)
      const artifact = `org.openapitools:openapi-generator-cli:${VERSION}`
      await run(draft, ['mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${draft}`])
    })
    const jar = join(kept, `openapi-generator-cli-${VERSION}.jar`)
    const args = ['generate', '-g', 'typescript-fetch', '-i', document, '-o', 'client']
    return await run(folder, ['java', '-jar', jar, ...args])
  },
  // All other lines report progress, or ask for donations.
  warnings: (output) => output.split('\n').filter((line) => /\b(WARN|ERROR)\b|Exception/.test(line)),
  allowed: [
    {
      warning: /ModelUtils - Failed to get the schema name: null$/,
      reason: 'it asks every example that has a name for the reference that it is, and ours are written out',
    },
  ],
  compile: compileTypeScript,
  program: () => [process.execPath, 'compiled/program.js'],
}
