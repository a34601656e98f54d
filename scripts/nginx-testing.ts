import { spawn } from 'node:child_process'
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
  let hasEnded = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  void ended.then(() => {
    hasEnded = true
  })
  const dieWithUs = (): boolean => child.kill('SIGKILL')
  process.once('exit', dieWithUs)
  while ((await fetch(`http://127.0.0.1:${port}`).catch(() => undefined)) === undefined) {
    if (hasEnded) throw new Error(`nginx did not start:\n${errors}`)
    await delay(20)
  }
  return async () => {
    process.off('exit', dieWithUs)
    child.kill('SIGTERM')
    await ended
  }
}

/** The `server` block is the one of docs/conformance.md; the rest lets any user run it without an installation. */
function configuration(folder: string, port: number, target: string, metricsToken: string): string {
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
    client_max_body_size 30m;
    large_client_header_buffers 4 64k;
    location = /metrics {
      proxy_pass ${target};
      proxy_set_header Authorization "Bearer ${metricsToken}";
    }
    location / {
      proxy_pass ${target};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_read_timeout 120s;
    }
  }
}
`
}
