import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { configFrom } from '../server/config.ts'
import { sharedParley } from '../server/testing.ts'

const PROJECT = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(PROJECT, file), 'utf8')

/** The arguments of an instruction, in the order of the file. */
async function instructions(name: string): Promise<string[]> {
  return [...(await read('Containerfile')).matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, words = '']) => words)
}

/** The default environment of a server in the image. */
async function environmentOfImage(): Promise<Record<string, string>> {
  const pairs = (await instructions('ENV')).join(' ').split(' ')
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

describe('U11: the image of a server', () => {
  const parley = sharedParley('sqlite')

  test('is built and started by the commands of docs/deployment.md, which a test runs', async () => {
    const page = await read('docs/deployment.md')
    const [build = ''] = await instructions('RUN')
    assert.ok(page.includes(`&& ${build}\n`), build)
    const [start = ''] = await instructions('CMD')
    assert.ok(page.includes(`ExecStart=/usr/bin/env ${(JSON.parse(start) as string[]).join(' ')}\n`), start)
  })

  test('runs without root, and writes to its volume only', async () => {
    assert.deepEqual(await instructions('USER'), ['1000'])
    const config = configFrom(await environmentOfImage(), [])
    assert.ok(config !== 'help')
    const [volume = 'none'] = await instructions('VOLUME')
    assert.ok(config.dataFolder.startsWith(`${volume}/`))
    assert.deepEqual([await instructions('EXPOSE'), config.host], [[String(config.port)], '0.0.0.0'])
  })

  test('is healthy while the server says so', async () => {
    const [check = ''] = await instructions('HEALTHCHECK')
    const [, script = ''] = /CMD (\[.*\])$/.exec(check) ?? []
    const [, ...args] = JSON.parse(script) as string[]
    const { url } = await parley()
    const isHealthy = (address: string): Promise<boolean> =>
      new Promise((resolve) => {
        const text = args.map((one) => one.replace('http://127.0.0.1:9991', address))
        spawn(process.execPath, text, { stdio: 'ignore' }).once('exit', (code) => resolve(code === 0))
      })
    assert.deepEqual([await isHealthy(url), await isHealthy(`${url}/api/v1`)], [true, false])
  })

  test('contains no files that belong to a checkout', async () => {
    const ignored = (await read('.dockerignore')).split('\n').map((line) => line.replace(/^\*\*\//, ''))
    for (const line of (await read('.gitignore')).trim().split('\n')) {
      if (line !== '.DS_Store') assert.ok(ignored.includes(line.replace(/\/$/, '')), line)
    }
  })

  test('is in compose.yaml beside MariaDB, with settings that the server knows', async () => {
    const { services, volumes } = parse(await read('compose.yaml'))
    const set = Object.entries(services.parley.environment as Record<string, string>).map(([name, value]) => {
      return [name, value.replaceAll(/\$\{\w+:(?:-(\w+)|\?[^}]*)\}/g, (_, standard?: string) => standard ?? 'x')]
    })
    const own = { PARLEY_PUBLIC_URL: 'https://chat.example.com', PARLEY_OWNER_EMAIL: 'ada@example.com' }
    const config = configFrom({ ...(await environmentOfImage()), ...Object.fromEntries(set), ...own }, [])
    assert.ok(config !== 'help' && config.database.kind === 'mariadb')
    assert.equal(config.database.url, 'mysql://parley:x@mariadb:3306/parley')
    const { MARIADB_USER, MARIADB_DATABASE } = services.mariadb.environment
    assert.deepEqual([MARIADB_USER, MARIADB_DATABASE], ['parley', 'parley'])
    assert.deepEqual(Object.keys(volumes), ['parley', 'mariadb'])
    assert.equal(services.parley.volumes[0], `parley:${(await instructions('VOLUME'))[0]}`)
  })
})
