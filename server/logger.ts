import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/** A packet that Node could not parse has the request's credentials in it. */
const SECRET = ['apiKey', 'password', 'err.rawPacket']

/**
 * Structured lines on standard error, where they do not mix with messages to people: a fixed sentence with fields,
 * ids not contents, `err` for errors.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: [...SECRET] }
  return pino(options, pino.destination(2))
}
