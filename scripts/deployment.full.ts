import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { fileCleanup } from '../server/process-testing.ts'
import { cloneCheckout } from './clone-testing.ts'
import { findExecutable, freePort } from './test/machine.ts'

const PROJECT = join(import.meta.dirname, '..')
const PAGE = join(PROJECT, 'docs/deployment.md')
/** Like the page's service user, it may write nothing in the checkout. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const AS_SERVICE = isRoot ? `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups` : ''
const MARIADB = process.env.PARLEY_TEST_MARIADB
const [NGINX, ANALYZE, OPENSSL] = ['nginx', 'systemd-analyze', 'openssl'].map(findExecutable)

/**
 * Commands that the test must not run on this machine are only recorded. A service is a process of the test, of another
 * user if the test may choose one.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  useradd: 'echo "useradd $*" >> "$LOG"',
  git: 'echo "git $*" >> "$LOG"',
  runuser: `shift 3; exec ${AS_SERVICE} "$@"`,
  journalctl: 'cat "$SERVER_LOG"',
  systemctl: `echo "systemctl $*" >> "$LOG"
case "$1" in
enable | start)
  (set -a; . "$SETTINGS"; set +a; cd "$PROJECT" && exec setsid ${AS_SERVICE} env HOME="$HOME_OF_SERVICE" TMPDIR=/tmp npm start) > "$SERVER_LOG" 2>&1 < /dev/null &
  service=$!
  until curl --silent --fail "http://127.0.0.1:$SERVER_PORT/health" > "$LOG.health"; do
    kill -0 $service || { cat "$SERVER_LOG" >&2; exit 1; }
    sleep 0.05
  done ;;
stop)
  kill "$(cat "$DATA/pid")"
  while kill -0 "$(cat "$DATA/pid")" 2> "$LOG.kill"; do sleep 0.05; done ;;
esac`,
}

describe('docs/deployment.md', () => {
  const cleanup = fileCleanup()
  const blocks = new Map<string, string>()
  let folder = ''
  let checkout = ''
  let ports = { server: 0, nginx: 0 }

  const ours = (text: string): string =>
    text
      .replaceAll('/var/lib/parley', folder)
      .replaceAll('/opt/parley', checkout)
      .replaceAll('/etc/parley.env', join(folder, 'parley.env'))
      .replaceAll('9991', String(ports.server))
      .replaceAll('443 ssl', `${ports.nginx} ssl`)
      .replaceAll('https://chat.example.com/', `https://chat.example.com:${ports.nginx}/`)
      .replaceAll('/etc/ssl/chat.example.com', folder)

  const block = (name: string): string => {
    const text = blocks.get(name)
    if (text === undefined) throw new Error(`the page has no block ${name}`)
    blocks.delete(name)
    return ours(text)
  }

  /** Runs the commands of a block in a shell that stops at the first failure. */
  const run = (commands: string, environment: NodeJS.ProcessEnv = {}): string => {
    const settings = join(folder, 'parley.env')
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: checkout,
      encoding: 'utf8',
      timeout: 300_000,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        LOG: join(folder, 'log'),
        SERVER_LOG: join(folder, 'server-log'),
        SERVER_PORT: String(ports.server),
        DATA: join(folder, 'data'),
        SETTINGS: settings,
        PROJECT: checkout,
        HOME_OF_SERVICE: folder,
        CURL_HOME: folder,
        ...environment,
      },
    })
    assert.equal(status, 0, `${commands}\n${stdout}${stderr}`)
    return stdout
  }
  let operator = ''
  const asOperator = (commands: string): string => run(`${operator}\n${commands}`)

  before(async () => {
    const page = await readFile(PAGE, 'utf8')
    for (const [, name = '', text = ''] of page.matchAll(/^```\w+ ([\w-]+)\n(.*?)^```$/gms)) blocks.set(name, text)
    assert.equal(page.match(/^```\w+/gm)?.length, blocks.size, 'every block has a name of its own')
  })

  // Ends a server that a failed test has left, before the folder is removed.
  cleanup.after(async () => {
    const pid = Number(await readFile(join(folder, 'data/pid'), 'utf8').catch(() => '0'))
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended
    }
    await rm(folder, { recursive: true, force: true })
  })

  test('U1: every command, from the installation to the upgrade', async () => {
    // Not among the folders of tests, which other users cannot read.
    folder = await mkdtemp('/var/tmp/parley-deployment-')
    checkout = join(folder, 'checkout')
    await chmod(folder, 0o755)
    if (isRoot) await chown(folder, NOBODY, NOBODY)
    await cloneCheckout(checkout, { withPackages: false })
    ports = { server: await freePort(), nginx: await freePort() }
    await mkdir(join(folder, 'bin'))
    for (const [name, script] of Object.entries(STAND_INS)) {
      const file = join(folder, 'bin', name)
      await writeFile(file, `#!/bin/bash\n${script}\n`)
      await chmod(file, 0o755)
    }
    // Values with spaces are quoted for the shell like for systemd.
    await writeFile(join(folder, 'parley.env'), block('settings'))
    run(block('install'))
    assert.match(run(block('start')), /Parley answers at/)
    operator = block('operator')
    const printed = asOperator(block('admin'))
    assert.match(printed, /backup .*restore .*Account \d+ is there: Grace Hopper.*\[api\].*New Harbour.*is whole/s)
    assert.match(run(block('metrics')), /^parley_/m)
    asOperator(block('backup'))
    asOperator('admin add-user late@example.com "Too Late"')
    asOperator(block('restore'))
    const listed = asOperator('admin list')
    assert.match(listed, /Grace Hopper/)
    assert.doesNotMatch(listed, /Too Late/)
    asOperator(block('lost-password'))
    asOperator(block('export'))
    assert.match(asOperator(block('import')), /The organization is there: \d+ accounts.*\nPassword: \S+/s)
    assert.match(asOperator('admin list'), /Grace Hopper/)
    asOperator(block('upgrade'))
    assert.match(await readFile(join(folder, 'log'), 'utf8'), /git pull/)
  })

  test('systemd accepts the unit', { skip: ANALYZE === undefined && 'no systemd on this machine' }, async () => {
    const file = join(folder, 'parley.service')
    await writeFile(file, block('systemd').replaceAll('User=parley', 'User=root'))
    const { stdout, stderr } = spawnSync(ANALYZE ?? '', ['verify', file], { encoding: 'utf8' })
    assert.doesNotMatch(stdout + stderr, /parley\.service/)
  })

  test('nginx answers with TLS', { skip: !(NGINX && OPENSSL) && 'no nginx or openssl on this machine' }, async () => {
    const subject = [
      '-subj',
      '/CN=chat.example.com',
      '-keyout',
      `${folder}/privkey.pem`,
      '-out',
      `${folder}/fullchain.pem`,
    ]
    spawnSync(OPENSSL ?? '', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject])
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const around = `daemon off; master_process off; pid ${folder}/nginx-pid; error_log stderr warn; events {}`
    await writeFile(
      join(folder, 'nginx.conf'),
      `${around} http { access_log off; ${places.join(' ')}\n${block('nginx')} }`,
    )
    await writeFile(
      join(folder, '.curlrc'),
      `insecure\nsilent\nresolve = "chat.example.com:${ports.nginx}:127.0.0.1"\nretry = 50\nretry-connrefused\nretry-delay = 0\nretry-max-time = 20\n`,
    )
    const child = spawn(NGINX ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    try {
      assert.match(run(block('nginx-check')), /ok|success/i)
    } finally {
      child.kill('SIGTERM')
    }
  })

  test('MariaDB accepts the user and the database, and its dump can be restored', {
    skip: MARIADB === undefined && 'no MariaDB on this machine',
  }, async () => {
    const name = `parley_${randomBytes(4).toString('hex')}`
    const named = (text: string): string =>
      text
        .replaceAll('database parley', `database ${name}`)
        .replaceAll('on parley.*', `on ${name}.*`)
        .replaceAll('parley@localhost', `${name}@localhost`)
        .replaceAll(/(mariadb(?:-dump)?(?: --\S+)*) parley/g, `$1 ${name}`)
        .replaceAll(join(folder, 'data'), join(folder, 'mariadb-data'))
        .replaceAll('backup-1', 'mariadb-backup')
    const { host, port, hostname } = new URL(MARIADB ?? '')
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection({ uri: `${MARIADB}/`, multipleStatements: true })
    try {
      await connection.query(named(block('mariadb')).replaceAll('@localhost', `@'${hostname}'`))
      const [, password] = /parley:(.*)@/.exec(block('mariadb-settings')) ?? []
      const DATABASE_URL = `mariadb://${name}:${password}@${host}/${name}`
      const own = { PARLEY_DATA: join(folder, 'mariadb-data'), PORT: String(await freePort()), DATABASE_URL }
      const settings = join(folder, 'mariadb.env')
      const added = Object.entries(own).map((entry) => `${entry.join('=')}\n`)
      await writeFile(settings, `${await readFile(join(folder, 'parley.env'), 'utf8')}${added.join('')}`)
      await writeFile(join(folder, 'my.cnf'), `[client]\nhost=${hostname}\nport=${port}\nuser=root\n`)
      const places = { SETTINGS: settings, DATA: own.PARLEY_DATA, SERVER_PORT: own.PORT, MYSQL_HOME: folder }
      const onMariaDb = (commands: string): string =>
        run(`${operator.replaceAll('parley.env', 'mariadb.env')}\n${named(commands)}`, places)
      onMariaDb('systemctl start parley')
      onMariaDb(block('mariadb-backup'))
      onMariaDb('admin add-user late@example.com "Too Late"')
      assert.match(onMariaDb(block('mariadb-restore')), /The database is whole/)
      assert.doesNotMatch(onMariaDb('admin list'), /Too Late/)
      onMariaDb('systemctl stop parley')
    } finally {
      await connection.query(`drop database if exists ${name}; drop user if exists ${name}@'${hostname}'`)
      await connection.end()
    }
  })

  test('commands in containers name services of compose.yaml', async () => {
    const { services } = parse(await readFile(join(PROJECT, 'compose.yaml'), 'utf8')) as { services: object }
    for (const [, service = ''] of block('container').matchAll(/^docker compose exec (\S+) /gm)) {
      assert.ok(Object.keys(services).includes(service), service)
    }
    const names = [...block('container-settings').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    const wanted = JSON.stringify(services).matchAll(/\$\{(\w+):/g)
    assert.deepEqual(names.toSorted(), [...new Set([...wanted].map(([, name]) => name))].toSorted())
  })

  test('fail2ban finds the address in the line of a failed login', async () => {
    const [, pattern = ''] = /^failregex = (.*)$/m.exec(block('fail2ban')) ?? []
    const line =
      '{"level":40,"requestId":"a-1","address":"192.0.2.1","operation":"fetch-api-key","code":"X","msg":"log-in failed"}'
    assert.equal(new RegExp(pattern.replace('<HOST>', '([0-9a-f.:]+)')).exec(line)?.[1], '192.0.2.1')
  })

  test('every block is tested', () => assert.deepEqual([...blocks.keys()], []))
})
