import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/**
 * Structured lines on standard error, where they do not mix with what is said to people: a fixed sentence with fields,
 * ids not contents, `err` for errors.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['apiKey', 'password'] }
  return pino(options, pino.destination(2))
}
