import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/**
 * A packet that Node could not parse contains the request's credentials, and a statement that MariaDB refuses its
 * values.
 */
const SECRET = ['apiKey', 'password', 'err.rawPacket', 'err.sql']

/** Whether the last line was written only in part. */
let isCut = false

/**
 * If a disk is full or a pipe closed, lines are lost, and the server goes on. (pino's own destination would end the
 * process, and wait for the disk while doing so.)
 */
const standardError = {
  write(line: string): void {
    const bytes = Buffer.from(isCut ? `\n${line}` : line)
    try {
      isCut = writeSync(2, bytes) < bytes.length
    } catch {
      // Nobody can be told.
    }
  },
}

/**
 * Structured lines on standard error, separate from messages to people. A line is a fixed sentence with fields, with
 * IDs instead of contents, and `err` for errors.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: [...SECRET] }
  return pino(options, standardError)
}
