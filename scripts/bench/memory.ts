import { join } from 'node:path'
import { startServer } from './processes.ts'
import { prepareWorkload } from './requests.ts'
import { residentMiB } from './usage.ts'

/** The largest memory the server may take once everything is sent. */
const AIM_MIB = 250
const STEPS = 10
const CONTENT = 'x'.repeat(200)

interface MemoryFigure {
  readonly sent: number
  readonly residentMiB: number
}

/**
 * Resident memory of a server while 16 people send `sends` messages as fast as they can: at the start and after each
 * tenth.
 */
export async function measureMemory(
  folder: string,
  sends: number,
  say: (what: string) => void,
): Promise<MemoryFigure[]> {
  const dataFolder = join(folder, 'memory')
  const server = await startServer({ dataFolder })
  const { senders } = await prepareWorkload(server, dataFolder)
  const figures = [{ sent: 0, residentMiB: residentMiB(server) }]
  for (let step = 1; step <= STEPS; step += 1) {
    let left = sends / STEPS
    const send = async (sender: (typeof senders)[number]): Promise<void> => {
      while (left > 0) {
        left -= 1
        const form = { type: 'channel', to: 'general', topic: `topic ${left % 100}`, content: CONTENT }
        await sender.must('POST', '/messages', form)
      }
    }
    await Promise.all(senders.map(send))
    const sent = (sends / STEPS) * step
    figures.push({ sent, residentMiB: residentMiB(server) })
    say(`${sent} sent: ${figures.at(-1)?.residentMiB.toFixed(0)} MiB`)
  }
  await server.stop()
  return figures
}

export function memoryReportOf(figures: readonly MemoryFigure[], machine: string): string {
  const most = Math.max(...figures.map((one) => one.residentMiB))
  const found = figures.map((one) => `${one.residentMiB.toFixed(0)} MiB after ${one.sent.toLocaleString('en')}`)
  return `${new Date().toISOString().slice(0, 10)}, ${machine}: ${found.join(', ')}. Aim: less than ${AIM_MIB} MiB; ${most < AIM_MIB ? 'reached' : 'missed'}.
`
}
