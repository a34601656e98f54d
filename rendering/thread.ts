/** The thread in which formulas are set and code is coloured: one message at a time, as `Order` asks. */
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
      // What would not fit is not sent on either: it takes memory there.
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

/** On a busy machine the event loop comes first. Only on Linux: elsewhere this would apply to the whole process. */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

parentPort?.on('message', async (order: Order) => report(await carryOut(order)))
