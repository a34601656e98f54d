import { readFile } from 'node:fs/promises'
import { type ContractOptions, createContract } from '../../server/contract.ts'
import { parsePairs } from '../../server/decode.ts'

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

const REQUESTS = [
  { name: 'GET /messages/{id}', method: 'GET', path: '/api/v1/messages/43', query: 'apply_markdown=false', form: '' },
  {
    name: 'POST /messages',
    method: 'POST',
    path: '/api/v1/messages',
    query: '',
    form: `type=channel&to=%22general%22&topic=bench&content=${'lorem+ipsum+'.repeat(17)}`,
  },
  {
    name: 'GET /messages',
    method: 'GET',
    path: '/api/v1/messages',
    query: `anchor=newest&num_before=100&num_after=0&narrow=${encodeURIComponent(
      JSON.stringify([{ operator: 'channel', operand: 'general' }]),
    )}`,
    form: '',
  },
] as const

const ROUNDS = 5
const REQUESTS_A_ROUND = 20_000

/**
 * Routes, decodes and validates in a loop: everything that server/contract.ts does with a request, openapi-backend
 * included, with an empty handler and authentication. Median of the rounds.
 */
export async function measurePipeline(): Promise<{ name: string; microseconds: number }[]> {
  const definition = JSON.parse(
    await readFile(new URL('../../generated/decoded.json', import.meta.url), 'utf8'),
  ) as Document
  const operationIds = Object.values(definition.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
  const nothing: ContractOptions<true, undefined, object, unknown> = {
    definition,
    handlers: Object.fromEntries(operationIds.map((operationId) => [operationId, true])),
    authenticate: () => ({}),
    authorize: () => undefined,
    run: (_handler, { input }) => input,
  }
  const contract = await createContract(nothing)
  const results: { name: string; microseconds: number }[] = []
  for (const { name, method, path, query, form } of REQUESTS) {
    const once = () =>
      contract.handle({
        match: contract.match(method, path),
        query: parsePairs(query),
        form: parsePairs(form),
        request: undefined,
      })
    const rounds: number[] = []
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const start = performance.now()
      for (let count = 0; count < REQUESTS_A_ROUND; count += 1) await once()
      if (round > 0) rounds.push(((performance.now() - start) * 1000) / REQUESTS_A_ROUND)
    }
    results.push({ name, microseconds: rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN })
  }
  return results
}
