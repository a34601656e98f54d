import { createHash } from 'node:crypto'
import type { Encoded } from './wire/node-sender.ts'

/** An answer on its way back through the proxy. */
export interface PassingAnswer {
  status: number
  readonly headers: Headers
  /** JSON of the answer; what a fault leaves here is what the client gets. */
  // biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
  body: any
}

/** Gets the answer to a request. */
export type Ask = (url: string, asked: Encoded) => Promise<PassingAnswer>

/** A run asks for what was not asked for when its answers were recorded. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError'
}

/**
 * What a server answered to a run, for runs that send the same until something goes wrong: each request gets the answers
 * that the same request got, in their order. What is read once more than it was gets the last one again.
 */
export class Recording {
  /** In the order of the requests, which is not that in which they are answered. */
  readonly #answers = new Map<string, Promise<PassingAnswer>[]>()

  record(ask: Ask): Ask {
    return async (url, asked) => {
      const key = keyOf(url, asked)
      const answer = ask(url, asked)
      const copy = answer.then(copyOf)
      copy.catch(() => undefined) // whoever asked hears of it
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), copy])
      return answer
    }
  }

  /** Answers to one run. After a request that was not recorded there are none any more. */
  player(): () => Ask {
    const places = new Map<string, number>()
    let hasDiverged = false
    return () => async (url, asked) => {
      const key = keyOf(url, asked)
      const answers = this.#answers.get(key) ?? []
      const place = places.get(key) ?? 0
      places.set(key, place + 1)
      const answer = answers[place] ?? (asked.method === 'GET' ? answers.at(-1) : undefined)
      hasDiverged ||= answer === undefined
      if (hasDiverged || answer === undefined) throw new DivergedError(`not recorded: ${asked.method} ${url}`)
      return copyOf(await answer)
    }
  }
}

function keyOf(url: string, { method, headers, content }: Encoded): string {
  const { 'content-type': type = '', authorization = '', range = '' } = headers
  // A boundary is drawn anew each time.
  const [, boundary] = /boundary=(.+)$/.exec(type) ?? []
  const sent =
    boundary === undefined ? content : Buffer.from(content.toString('latin1').replaceAll(boundary, ''), 'latin1')
  const digest = createHash('sha256').update(sent).digest('base64')
  return [method, url, authorization, range, boundary === undefined ? type : 'multipart', digest].join(' ')
}

function copyOf({ status, headers, body }: PassingAnswer): PassingAnswer {
  return { status, headers: new Headers(headers), body: structuredClone(body) }
}
