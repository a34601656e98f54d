/**
 * Finds out which servers that do one thing wrong the suite notices: tries each check against mutants of its own
 * subjects.
 */
import { allChecks } from '../checks/all.ts'
import type { Check, CheckResult } from '../kernel/check.ts'
import { runConformance } from '../run.ts'
import type { ServerPool } from '../server-pool-testing.ts'
import { faultySender } from '../testing.ts'
import { readContract } from '../wire/contract.ts'
import { idOf, type Mutant, mutantsOf, mutationBy } from './mutants-testing.ts'
import { LONG, type RecordedRun, recordedRun, replayed, settingsFor } from './replay-testing.ts'
import { Misreader } from './requests-testing.ts'

/** Operations that create people and channels for every check; their mutants are tried only in checks about them. */
const SCENERY = new Set(['create-user', 'fetch-api-key', 'get-own-user', 'get-subscriptions', 'update-settings'])
/** The contract itself, half a megabyte; checks of it are not about single values. */
const DOCUMENTS = new Set(['get-openapi', 'get-openapi-3-0'])
/** A run in which the check itself broke off, so that it is unknown what it would have noticed. */
const BROKEN = 'broken'
/** Runs that share servers at the same time. */
const AT_ONCE = 4
/** How long to wait for something that may never come: not longer than a mutant is worth. */
const patienceMs = 2000

const checks = allChecks(readContract())
const witnesses = checks.filter(({ isWitness }) => isWitness)
/** Without checks that take seconds each time, for which there are faults. */
export const surveyedChecks: readonly Check[] = checks.filter(
  ({ id, asksEach, isWitness }) => !asksEach && !isWitness && !LONG.test(id),
)

/** The first finding of a run against a server; undefined if it found nothing wrong. */
type Trial = (mutants: readonly Mutant[]) => Promise<string | undefined>

export class Survey {
  readonly made = new Map<string, Mutant>()
  /** The finding, by the mutant's id. */
  readonly noticed = new Map<string, string>()
  readonly #servers: ServerPool
  readonly #isMeant: (subject: string) => boolean

  /** @param isMeant whether to try mutants of this operation or event type */
  constructor(servers: ServerPool, isMeant: (subject: string) => boolean) {
    this.#servers = servers
    this.#isMeant = isMeant
  }

  get missed(): Mutant[] {
    return [...this.made].flatMap(([id, one]) => (this.noticed.has(id) ? [] : [one]))
  }

  /** Tries the check against everything it is about. */
  async try(check: Check): Promise<void> {
    // Only the run shows which operations it asks, and which events come.
    const run = await this.#recorded(check)
    await this.#tryAnswers(check, run)
    const asked = run.trace.recorded.map(({ operation }) => operation ?? '')
    if (asked.some((id) => isTriedOn(check, id) && this.#isMeant(id))) await this.#tryRequests(check)
  }

  /** Servers that answer wrongly: the recorded run is repeated with the mutants' answers. */
  async #tryAnswers(check: Check, run: RecordedRun): Promise<void> {
    const mutants = this.#about(check, mutantsOf(run.trace.recorded))
    const trial: Trial = async (some) => {
      const { report, player } = await replayed(run, mutationBy(some))
      if (player.diverged !== undefined) return undefined
      return report === undefined ? 'the run ended' : firstOf(report.results)
    }
    const red = await trial([])
    if (red === undefined) await this.#tryAll(mutants, trial, 1)
    else console.log(`not repeated, because it ends in another way then: ${check.id}: ${red}`)
  }

  /** Servers that misread requests: each takes a run of its own against a live server. */
  async #tryRequests(check: Check): Promise<void> {
    const right = new Misreader(readContract(), [])
    const red = await this.#live(check, right)
    if (red !== undefined) throw new Error(`${check.id} does not pass: ${red}`)
    const mutants = this.#about(check, [...right.possible.values()])
    await this.#tryAll(mutants, (some) => this.#live(check, new Misreader(readContract(), some)), AT_ONCE)
  }

  /** The mutants that the check is about. */
  #about(check: Check, mutants: readonly Mutant[]): Mutant[] {
    return mutants.filter(({ subject }) => isTriedOn(check, subject) && this.#isMeant(subject))
  }

  /**
   * Tries each new mutant alone. Mutants that other checks missed are tried together, because most are missed again.
   */
  async #tryAll(mutants: readonly Mutant[], trial: Trial, atOnce: number): Promise<void> {
    const fresh = mutants.filter((one) => !this.made.has(idOf(one)))
    const missed = mutants.filter((one) => this.made.has(idOf(one)) && !this.noticed.has(idOf(one)))
    for (const one of fresh) this.made.set(idOf(one), one)
    // One operator may remove what the other changes.
    const together = Map.groupBy(missed, ({ subject, operator }) => `${operator} ${subject}`).values()
    const left = [...fresh.map((one) => [one]), ...together].values()
    const tryNext = async (): Promise<void> => {
      for (const some of left) await this.#halve(some, trial)
    }
    await Promise.all(Array.from({ length: atOnce }, tryNext))
  }

  /** Halves a set that is noticed until one mutant is left. */
  async #halve(mutants: readonly Mutant[], trial: Trial): Promise<void> {
    const found = await trial(mutants)
    const [one] = mutants
    if (found === undefined || one === undefined) return
    if (mutants.length === 1) {
      if (found !== BROKEN) this.noticed.set(idOf(one), found)
      return
    }
    const middle = Math.ceil(mutants.length / 2)
    await this.#halve(mutants.slice(0, middle), trial)
    await this.#halve(mutants.slice(middle), trial)
  }

  #recorded(check: Check): Promise<RecordedRun> {
    return this.#servers.use(settingsFor(check), async ({ url, logins, onKept }) => {
      const run = await recordedRun(check.id, { url, logins, onKept, ...briefly(check) })
      const red = firstOf(run.results)
      if (red !== undefined) throw new Error(`${check.id} does not pass: ${red}`)
      return run
    })
  }

  #live(check: Check, { read, mutants }: Misreader): Promise<string | undefined> {
    return this.#servers.use(settingsFor(check), async ({ url, logins, onKept, giveUp }) => {
      // The mutant may have changed the organization for good.
      if (mutants.length > 0) giveUp()
      const sender = faultySender(url, () => {}, read)
      const { results } = await runConformance({ url, logins, onKept, sender, patienceMs, ...briefly(check) })
      return firstOf(results)
    })
  }
}

/** Whether the check is tried against mutants of this operation or event type. */
function isTriedOn({ id, requirements }: Check, subject: string): boolean {
  if (DOCUMENTS.has(subject)) return false
  return !SCENERY.has(subject) || id.includes(subject) || requirements.includes('CONTRACT-VIEWS')
}

function firstOf(results: readonly CheckResult[]): string | undefined {
  const [found] = results.flatMap(({ findings }) => findings)
  return found?.expected ?? (results.some(({ outcome }) => outcome === 'broken') ? BROKEN : undefined)
}

function briefly(check: Check) {
  return { checks: [check, ...witnesses], seed: 7, shrinkMs: 0 }
}
