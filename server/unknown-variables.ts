import { SETTINGS } from './settings.ts'

/** Variables of tests and tools, which may be in the environment of a server too. */
const OF_TOOLS = /^PARLEY_(TEST_\w+|SEED|CLIENTS|DREDD|SERVER|URL|LOGIN|TOPIC|CONTENT)=/

/** Variables that Kubernetes sets in every container beside a service called parley. */
const OF_KUBERNETES = /^PARLEY_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP)|PORT=(tcp|udp):)/

/** Returns the first PARLEY_ variable that is not a setting. */
export function unknownVariable(environment: NodeJS.ProcessEnv): string | undefined {
  const known: readonly string[] = SETTINGS.map(({ variable }) => variable)
  return Object.keys(environment).find((name) => {
    const pair = `${name}=${environment[name]}`
    if (!name.startsWith('PARLEY_') || environment[name] === '' || known.includes(name)) return false
    return !OF_TOOLS.test(pair) && !OF_KUBERNETES.test(pair)
  })
}
