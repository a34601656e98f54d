import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findExecutable } from './test/machine.ts'

/** Path of nginx; undefined if it is not installed. */
export const NGINX = findExecutable('nginx')

/**
 * Starts nginx on `port`, in front of the server at `target`.
 *
 * @param folder for its files
 * @param metricsToken token that it sends when somebody reads /metrics
 * @returns a function that stops it
 * @throws {Error} with its output if it does not start
 */
export async function startNginx(
  folder: string,
  port: number,
  target: string,
  metricsToken: string,
): Promise<() => Promise<void>> {
  if (NGINX === undefined) throw new Error('nginx is not installed (Debian: nginx)')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, port, target, metricsToken))
  const child = spawn(NGINX, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const dieWithUs = (): boolean => child.kill('SIGKILL')
  process.once('exit', dieWithUs)
  while ((await fetch(`http://127.0.0.1:${port}`).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`)
    await delay(20)
  }
  return async () => {
    process.off('exit', dieWithUs)
    child.kill('SIGTERM')
    await ended
  }
}

/** The rest around the block of docs/conformance.md lets any user run it without an installation. */
function configuration(folder: string, port: number, target: string, metricsToken: string): string {
  const page = readFileSync(join(import.meta.dirname, '../docs/conformance.md'), 'utf8')
  const [, block = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? []
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${places.join(' ')}
  server {
    listen 127.0.0.1:${port};
    location = /metrics {
      proxy_pass ${target};
      proxy_set_header Authorization "Bearer ${metricsToken}";
    }
    ${block.replace('http://127.0.0.1:9991', target)}
  }
}
`
}
