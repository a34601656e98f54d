import { SETTINGS } from './settings.ts'

const PREFIX = 'PARLEY_'

/** Variables of tests and tools, which may be in the environment of a server too. */
const OF_TOOLS =
  /^PARLEY_(TEST_\w+|SEED|(ATTACK|CRASH)_SEED|CONFORMANCE_SEEDS|ATTACKS|LIVE_FAULTS|CLIENTS|DREDD|SERVER|URL|LOGIN|TOPIC|CONTENT)=/

/** Variables that Kubernetes sets in every container beside a service called parley. */
const OF_KUBERNETES = /^PARLEY_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP)|PORT=(tcp|udp):)/

/** Maximum number of letters that a typing error adds, leaves out or exchanges. */
const MAX_SLIPS = 3

/** Returns the first PARLEY_ variable that is not a setting, with the setting that is probably meant. */
export function unknownVariable(
  environment: NodeJS.ProcessEnv,
): { readonly name: string; readonly meant: string | undefined } | undefined {
  const known: readonly string[] = SETTINGS.map(({ variable }) => variable)
  const name = Object.keys(environment).find((one) => {
    const pair = `${one}=${environment[one]}`
    if (!one.startsWith(PREFIX) || environment[one] === '' || known.includes(one)) return false
    return !OF_TOOLS.test(pair) && !OF_KUBERNETES.test(pair)
  })
  if (name === undefined) return undefined
  const plain = (variable: string): string => variable.replace(PREFIX, '')
  const [nearest] = known
    .map((variable) => ({ variable, slips: distance(plain(name), plain(variable)) }))
    .sort((a, b) => a.slips - b.slips)
  return { name, meant: nearest && nearest.slips <= MAX_SLIPS ? nearest.variable : undefined }
}

/** Returns how many letters have to be added, removed or exchanged to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      const [left = 0, above = 0, before = 0] = [next[at], row[at + 1], row[at]]
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
