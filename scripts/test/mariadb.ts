import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findExecutable, freePort, quickFolder } from './machine.ts'

export interface PrivateMariaDb {
  /** `mysql://root@127.0.0.1:<port>`, no password, no database chosen. */
  url: string
  /** Resolves when the server has ended and its folder is removed. Can be called more than once. */
  stop: () => Promise<void>
}

const startSeconds = 60
const bytesWanted = 2 ** 30

/**
 * Installs and runs MariaDB in the folder $1, and removes the folder at the end. Its standard input is a pipe from the
 * test runner and it has its own process group, so it cleans up however the runner ends, kill -9 included. Its
 * temporary tables are in the folder too, because a starting server removes all temporary tables it finds, even another
 * server's.
 */
const keeper = `
dir=$1; install=$2; server=$3; port=$4; user=$5
"$install" --no-defaults $user --datadir="$dir/data" --auth-root-authentication-method=normal \\
  --skip-test-db --innodb-log-file-size=32M >"$dir/install.log" 2>&1 &&
mkdir "$dir/tmp" &&
"$server" --no-defaults $user --datadir="$dir/data" --tmpdir="$dir/tmp" --socket="$dir/socket" --pid-file="$dir/pid" \\
  --bind-address=127.0.0.1 --port="$port" --skip-name-resolve --performance-schema=OFF --max-connections=500 \\
  --character-set-server=utf8mb4 --innodb-flush-log-at-trx-commit=2 --innodb-log-file-size=32M \\
  --innodb-buffer-pool-size=128M >"$dir/server.log" 2>&1 &
exec 3<&0
work=$!
( read -r end <&3; [ -f "$dir/pid" ] && kill "$(cat "$dir/pid")" || kill $work ) 2>/dev/null &
wait $work
rm -rf "$dir"
`

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/**
 * Starts a private MariaDB in a temporary folder, for this run only.
 *
 * @returns undefined if MariaDB is not installed
 * @throws {Error} with the server's log if it does not start
 */
export async function startMariaDb(signal: AbortSignal): Promise<PrivateMariaDb | undefined> {
  const install = findExecutable('mariadb-install-db')
  const server = findExecutable('mariadbd')
  if (install === undefined || server === undefined) return undefined
  const port = await freePort()
  const folder = mkdtempSync(join(quickFolder(bytesWanted), 'parley-mariadb-'))
  const user = process.getuid?.() === 0 ? '--user=root' : ''
  const child = spawn('sh', ['-c', keeper, 'parley-mariadb', folder, install, server, String(port), user], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve()
    }
    child.on('close', end)
    child.on('error', end)
  })
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  const deadline = performance.now() + startSeconds * 1000
  let log = ''
  while (!log.includes('ready for connections')) {
    if (hasEnded || signal.aborted || performance.now() > deadline) {
      await stop()
      throw new Error(`MariaDB did not start in ${folder}:\n${log}`)
    }
    await delay(20)
    log = readIfThere(join(folder, 'server.log')) || readIfThere(join(folder, 'install.log')) || log
  }
  return { url: `mysql://root@127.0.0.1:${port}`, stop }
}
