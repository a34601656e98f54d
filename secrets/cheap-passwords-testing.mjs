/**
 * Loaded before a server of a test: its passwords are hashed at a thousandth of the cost. Making and logging in people takes
 * most of the processor time of many tests; what a hash must cost is tested in secrets.test.ts, which loads the real one.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, bytes, cost, done) =>
  scrypt(password, salt, bytes, { ...cost, N: Math.max(2, cost.N / 1024) }, done)
syncBuiltinESMExports()
