/** The thread that renders formulas and highlights code, one `Order` at a time. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { MAX_HTML_BYTES, type PieceHtml } from '../domain/markdown/pieces.ts'
import { pieceRenderer } from '../domain/markdown/tools.ts'
import type { Order, Report } from './order.ts'

async function carryOut({ pieces, beginMs }: Order): Promise<Report> {
  const render = await pieceRenderer(pieces)
  const start = processorMs()
  report({ kind: 'begun', processorMs: start })
  const errors: unknown[] = []
  let bytesLeft = MAX_HTML_BYTES
  let ms = 0
  const htmls = pieces.map((piece): PieceHtml => {
    if (ms > beginMs) return undefined
    try {
      const html = render(piece)
      // HTML over the limit is not sent, since it would take memory in the server too.
      const bytes = html === undefined ? 0 : Buffer.byteLength(html)
      if (bytes > bytesLeft) return undefined
      bytesLeft -= bytes
      return html
    } catch (err) {
      errors.push(err)
      return undefined
    } finally {
      ms = processorMs() - start
    }
  })
  return { kind: 'done', htmls, ms, errors }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function report(message: Report): void {
  parentPort?.postMessage(message)
}

/**
 * Lowers the priority, so that the event loop comes first on a busy machine. Linux only: elsewhere this would apply to
 * the whole process.
 */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

parentPort?.on('message', async (order: Order) => report(await carryOut(order)))
