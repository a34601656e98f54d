/**
 * One of the writing processes of ids.full.ts: `ids-writer-testing.ts URL TRANSACTIONS SEED` writes messages and events
 * as the server does.
 */
import { systemClock } from '../domain/clock.ts'
import type { DirectGroupId } from '../domain/ids.ts'
import { Random } from '../server/random-testing.ts'
import { Database } from './database.ts'
import type { Tx } from './repositories.ts'
import { plainMessage } from './rows-testing.ts'
import type { Session } from './session.ts'

const [url = '', transactions = '0', seed = '1'] = process.argv.slice(2)

const random = new Random(Number(seed))

/** Takes some time with real work, so that transactions of different processes overlap. */
async function dawdle(session: Session): Promise<void> {
  if (random.int(3) > 0) return
  for (let left = random.int(30); left > 0; left -= 1) await session.all('select id from user_group order by name')
}

async function writeCounted(tx: Tx): Promise<void> {
  await dawdle(tx.session)
  for (let left = random.int(3); left > 0; left -= 1) {
    await tx.messages.insert(
      plainMessage(await tx.events.nextMessageId(), { kind: 'direct', groupId: 1 as DirectGroupId }),
    )
  }
  for (let left = random.int(3); left > 0; left -= 1)
    tx.events.append({ type: 'tick' }, { to: 'nobody' }, 1 + random.int(3))
  await dawdle(tx.session)
}

const db = await Database.open({ kind: 'mariadb', url }, systemClock)
for (let left = Number(transactions); left > 0; ) {
  const together = Math.min(left, 1 + random.int(4))
  left -= together
  const bodies = Array.from({ length: together }, () =>
    db.transaction(async (tx) => {
      await writeCounted(tx)
      if (random.int(5) === 0) throw new Error('a body that fails')
    }),
  )
  await Promise.allSettled(bodies)
}
await db.close()
