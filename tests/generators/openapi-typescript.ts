import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedPackages } from '../../scripts/locked-packages.ts'
import { compileTypeScript, type Generator, packageFile, programFile, run, strictTypeScript } from './generator.ts'

/** Types of the whole contract, for openapi-fetch. */
export const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  document: 'openapi.json',
  needs: {},
  async generate(document, folder) {
    cpSync(programFile('openapi-fetch/program.ts'), join(folder, 'program.ts'))
    cpSync(await lockedPackages(programFile('openapi-fetch')), join(folder, 'node_modules'), { recursive: true })
    const options = { ...strictTypeScript, module: 'nodenext', noEmit: true, allowImportingTsExtensions: true }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
    const cli = packageFile('openapi-typescript/bin/cli.js')
    return await run(folder, [process.execPath, cli, document, '--output', join(folder, 'schema.ts')])
  },
  warnings: (output) =>
    output.split('\n').filter((line) => line !== '' && !/^(✨ openapi-typescript|🚀 .* → )/u.test(line)),
  allowed: [],
  compile: compileTypeScript,
  program: () => [process.execPath, 'program.ts'],
}
