/**
 * Loaded before the server of a test, to hash passwords at a thousandth of the cost. Creating and logging in people
 * takes most of the processor time of many tests. The real cost is tested in secrets.test.ts, which loads the real
 * function.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, bytes, cost, done) =>
  scrypt(password, salt, bytes, { ...cost, N: Math.max(2, cost.N / 1024) }, done)
syncBuiltinESMExports()
