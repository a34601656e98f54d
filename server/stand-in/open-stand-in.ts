import type { Config } from '../config.ts'
import type { Parley } from '../create-parley.ts'
import { credentialsFileIn } from '../data-folder.ts'
import { createControl } from './control.ts'
import { LocalVerbs } from './local-verbs.ts'

/** A server that also answers below /testing: what PARLEY_TESTING starts. */
export async function openStandIn(config: Config): Promise<Pick<Parley, 'start' | 'stop' | 'log'>> {
  const verbs = await LocalVerbs.open(config, await createControl(config))
  const { log, url } = verbs
  log.warn({ url }, 'everybody who reaches this server controls it: it is for tests')
  return {
    log,
    start: async () => ({ url, credentials: verbs.credentials, credentialsFile: credentialsFileIn(config.dataFolder) }),
    stop: () => verbs.stop(),
  }
}
