import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pythonWith } from '../../scripts/test/python.ts'
import { type Generator, programFile, run } from './generator.ts'

/** Path of a Python with openapi-python-client, from PyPI. @throws {Error} if it is not available */
async function pythonWithGenerator(): Promise<string> {
  const python = await pythonWith(programFile('python/requirements.txt'))
  if (python === undefined) throw new Error('python3 is not installed')
  return python
}

/** A function for each operation and an attrs class for each schema. */
export const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  document: 'openapi.json',
  needs: { python3: 'python3-venv' },
  async generate(document, folder) {
    cpSync(programFile('python/program.py'), join(folder, 'program.py'))
    const python = await pythonWithGenerator()
    const options = ['--config', programFile('python/config.yaml'), '--meta', 'none', '--output-path', 'parley_client']
    // It formats its output with ruff, which it finds in the PATH.
    const PATH = `${dirname(python)}:${process.env.PATH}`
    return await run(folder, [python, '-m', 'openapi_python_client', 'generate', '--path', document, ...options], {
      PATH,
    })
  },
  warnings: (output) => output.split('\n').filter((line) => line !== '' && !/^Generating \S+$/.test(line)),
  allowed: [],
  async compile(folder) {
    const options = ['--config-file', programFile('python/mypy.ini'), '--cache-dir', join(folder, '.mypy')]
    await run(folder, [await pythonWithGenerator(), '-m', 'mypy', ...options, 'parley_client', 'program.py'])
  },
  program: async () => [await pythonWithGenerator(), 'program.py'],
}
