import { join } from 'node:path'
import { startServer } from './processes.ts'
import { whole } from './report.ts'
import { prepareWorkload } from './requests.ts'
import { residentMiB } from './usage.ts'

/** The largest memory the server may take once everything is sent. */
const AIM_MIB = 250
const SENDS = 100_000
const STEPS = 10
const CONTENT = 'x'.repeat(200)

/** Resident memory of a server while 16 people send messages as fast as they can: at the start and after each tenth. */
export async function measureMemory(folder: string, say: (what: string) => void): Promise<string> {
  const dataFolder = join(folder, 'memory')
  const server = await startServer({ dataFolder })
  const { senders } = await prepareWorkload(server, dataFolder)
  const found: string[] = []
  let most = 0
  const look = (sent: number): void => {
    const memory = residentMiB(server)
    most = Math.max(most, memory)
    found.push(`${whole(memory)} MiB after ${whole(sent)}`)
    say(found.at(-1) ?? '')
  }
  look(0)
  for (let step = 1; step <= STEPS; step += 1) {
    let left = SENDS / STEPS
    const send = async (sender: (typeof senders)[number]): Promise<void> => {
      while (left > 0) {
        left -= 1
        const form = { type: 'channel', to: 'general', topic: `topic ${left % 100}`, content: CONTENT }
        await sender.must('POST', '/messages', form)
      }
    }
    await Promise.all(senders.map(send))
    look((SENDS / STEPS) * step)
  }
  await server.stop()
  return `: ${found.join(', ')}. Aim: less than ${AIM_MIB} MiB; ${most < AIM_MIB ? 'reached' : 'missed'}.`
}
