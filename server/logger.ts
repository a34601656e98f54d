import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/** Structured lines on standard output: a fixed sentence with fields, ids not contents, `err` for errors. */
export function createLogger(level: Config['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['apiKey', 'password'] })
}
