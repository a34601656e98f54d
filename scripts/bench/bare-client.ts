import { Agent, request } from 'node:http'

export interface BareAnswer {
  readonly text: string
  /** From the first byte of the request to the last of the answer, before parsing. */
  readonly ms: number
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A client on bare node:http: it adds little to a measured time, and the same for every server. */
export class BareClient {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

  constructor(url: string) {
    this.#url = url
  }

  /**
   * @param authorization value of the header
   * @param form encoded body
   * @throws {Error} with the answer, if it is not 200
   */
  call(method: string, path: string, authorization: string, form = ''): Promise<BareAnswer> {
    return new Promise((resolve, reject) => {
      const start = performance.now()
      const headers = { Authorization: authorization, ...(form !== '' && FORM) }
      const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => {
          const ms = performance.now() - start
          const text = Buffer.concat(pieces).toString()
          if (response.statusCode === 200) resolve({ text, ms })
          else reject(new Error(text))
        })
      })
      sent.on('error', reject)
      sent.end(form)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
