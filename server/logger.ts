import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/** A packet that Node could not parse contains the request's credentials. */
const SECRET = ['apiKey', 'password', 'err.rawPacket']

/**
 * Structured lines on standard error, apart from messages to people: a fixed sentence with fields, IDs instead of
 * contents, `err` for errors.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: [...SECRET] }
  return pino(options, pino.destination(2))
}
