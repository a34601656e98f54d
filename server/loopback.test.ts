import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { isLocalProgram } from './loopback.ts'

function request(host: string | undefined, remoteAddress: string | undefined, origin?: string): IncomingMessage {
  return { headers: { host, origin }, socket: { remoteAddress } } as IncomingMessage
}

test('G7: only a program on this machine that uses a loopback address is local (SEC-HTTP-14)', () => {
  for (const host of ['127.0.0.1', '127.0.0.1:9991', 'localhost:9991', 'LOCALHOST', '[::1]:9991']) {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      assert.equal(isLocalProgram(request(host, address)), true, `${host} ${address}`)
    }
    assert.equal(isLocalProgram(request(host, '127.0.0.1', `http://${host}`)), false, `a page of ${host}`)
    assert.equal(isLocalProgram(request(host, '127.0.0.1', 'null')), false, 'a page without an origin')
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', undefined]) {
      assert.equal(isLocalProgram(request(host, address)), false, address)
    }
  }
  for (const host of ['rebound.example:9991', '127.0.0.1.rebound.example', '10.0.0.1', 'localhost@x', '', undefined]) {
    assert.equal(isLocalProgram(request(host, '127.0.0.1')), false, host)
  }
})
