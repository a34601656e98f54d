/**
 * Proves that what checks say about answers can be found wrong: each check is repeated with one of its answers changed.
 */
import type { Check } from '../kernel/check.ts'
import { sameness } from '../kernel/finding.ts'
import { operators, singly, withFields } from './answers-testing.ts'
import { type RecordedRun, replayed } from './replay-testing.ts'
import { type Answer, type Mutate, PLACE, type Recorded } from './trace-testing.ts'

/** An expectation that a check stated at one place in its code. */
interface Said {
  /** As in unmoved.yaml: the check, the requirement, and the words without numbers and names. */
  readonly name: string
  /** The places of the answers it was said about. */
  readonly places: Set<number>
  isMoved: boolean
}

const untouched: Mutate = (recorded) => recorded
/** Maximum number of places tried for an expectation about many answers. */
const MOST_PLACES = 3

interface Looked {
  /** Expectations that hold no matter what is wrong with the answers. */
  readonly unmoved: ReadonlySet<string>
  /** Ids of all requirements it mentioned. */
  readonly requirements: ReadonlySet<string>
}

/**
 * What a check says about the answers it got.
 *
 * @param skipped expectations that are not tried
 * @throws {Error} if the repetition ends differently from the recorded run, and so proves nothing
 */
export async function lookedAt(check: Check, run: RecordedRun, skipped: ReadonlySet<string>): Promise<Looked> {
  const requirements = new Set<string>()
  const all = new Map<string, Said>()
  const { report, player } = await replayed(run, untouched, (expectation) => {
    const { check: id, requirement, expected, exchange } = expectation
    if (id !== check.id) return
    requirements.add(requirement)
    const key = `${requirement} ${placeInCode()}`
    const name = nameOf(id, requirement, expected)
    const said = all.get(key) ?? { name, places: new Set<number>(), isMoved: false }
    all.set(key, said)
    said.places.add(Number(exchange.headers.get(PLACE) ?? -1))
  })
  const red = report?.results.flatMap(({ findings }) => findings.map(({ expected }) => expected)) ?? ['no report']
  if (player.diverged !== undefined || red.length > 0) {
    throw new Error(`repeated, ${check.id} finds ${red} (${player.diverged})`)
  }
  const trial = async (place: number, answer: Answer): Promise<void> => {
    const mutate: Mutate = (one, here) => (here === place ? answer : one)
    await replayed(run, mutate, ({ check: id, requirement, expected, isMet }) => {
      if (id !== check.id || isMet) return
      const name = nameOf(id, requirement, expected)
      const key = `${requirement} ${placeInCode()}`
      for (const [other, said] of all) if (other === key || said.name === name) said.isMoved = true
    })
  }
  const { recorded } = run.trace
  const unmoved = (): Said[] => [...all.values()].filter(({ name, isMoved }) => !isMoved && !skipped.has(name))
  const blunt = async (place: number, isWanted: () => boolean): Promise<void> => {
    for (const operator of operators.values()) {
      const answer = recorded[place]
      const changed = answer !== undefined && isWanted() ? operator(answer, recorded) : undefined
      if (changed) await trial(place, changed)
    }
  }
  for (const said of unmoved()) for (const place of placesOf(said)) await blunt(place, () => !said.isMoved)
  for (const said of unmoved()) {
    for (const place of placesOf(said)) {
      for (const changed of recorded[place] ? changedSingly(recorded[place], said) : []) {
        if (!said.isMoved) await trial(place, changed)
      }
    }
  }
  // Some expectations about one answer depend on other answers.
  for (const place of recorded.keys()) await blunt(place, () => unmoved().length > 0)
  return { unmoved: new Set(unmoved().map(({ name }) => name)), requirements }
}

function* changedSingly(recorded: Recorded, { name }: Said): Generator<Answer> {
  // Fields that must not be there are not in the contract.
  const named = withFields(
    recorded,
    [...name.matchAll(/`([a-z_]+)`/g)].flatMap(([, field = '']) => field),
  )
  if (named !== undefined) yield named
  yield* singly(recorded)
}

function placesOf({ places }: Said): number[] {
  return [...places].slice(0, MOST_PLACES)
}

function nameOf(check: string, requirement: string, expected: string): string {
  // Values that the server makes up, such as file names, differ each time.
  return `${check}: ${sameness({ requirement, says: '', expected })}`.replaceAll(/\b[0-9a-f]{6,}\b/g, '0')
}

/** The lines of the check, and of its caller, that judge an answer now. */
function placeInCode(): string {
  const { stack = '' } = new Error('for its stack')
  const inside = /kernel\/(check-context|effect)|mutants\/|one-result|results\.ts/
  const lines = stack.split('\n').filter((line) => line.includes('/conformance/') && !inside.test(line))
  return lines.slice(0, 2).join()
}
