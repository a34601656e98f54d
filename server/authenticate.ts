import { isUtf8 } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { BadRequestError, InvalidApiKeyError, UnauthorizedError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { type Actor, asActor } from '../permissions/actor.ts'
import { refuseWhileDeactivated } from '../permissions/write.ts'
import { isWellFormedApiKey, type Secrets } from '../secrets/secrets.ts'

const MAX_CACHED = 20_000
/** Longer headers are looked up every time, because no client sends them and they would fill the cache. */
const MAX_CACHED_HEADER = 512
/**
 * Maximum number of cached spellings of the header. Clients write it in a few ways, and thousands of spellings would
 * evict all other entries.
 */
const MAX_HEADERS_PER_ACCOUNT = 8

/**
 * HTTP Basic authentication with address and API key (AUTH-1 to AUTH-5, AUTH-17 to AUTH-20). Valid headers are cached
 * by their text, and dropped as soon as the log says that the account changed.
 */
export class Authenticator {
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #actors = new LRUCache<string, Actor>({
    max: MAX_CACHED,
    dispose: ({ id }, header) => {
      const headers = this.#headers.get(id)
      if (headers?.delete(header) && headers.size === 0) this.#headers.delete(id)
    },
  })
  /** Headers in `#actors` by account, the oldest first. */
  readonly #headers = new Map<UserId, Set<string>>()
  /** Number of invalidations, so that a result that was read before one is not cached after it. */
  #changes = 0

  constructor(db: Database, secrets: Secrets) {
    this.#db = db
    this.#secrets = secrets
    db.onCommitted((events) => {
      for (const { event } of events) {
        if (event.type === 'realm_user' && 'person' in event) this.#forget(event.person.user_id as UserId)
        if (event.type === 'api_key') this.#forget(event.userId)
      }
    })
  }

  /** @param header value of Authorization */
  async authenticate(header: string | undefined): Promise<Actor> {
    if (header === undefined || header === '') throw new UnauthorizedError()
    const actor = this.#actors.get(header)
    if (!actor) return this.#lookUp(header)
    refuseWhileDeactivated(this.#db.read)
    return actor
  }

  /**
   * Returns the present state of an admitted account. Needs no statement unless the log has mentioned the account
   * since.
   *
   * @param header the same one
   */
  present(header: string, admitted: Actor): Actor | Promise<Actor> {
    if (this.#actors.get(header) !== admitted) return this.#lookUp(header)
    refuseWhileDeactivated(this.#db.read)
    return admitted
  }

  async #lookUp(header: string): Promise<Actor> {
    const { email, apiKey } = parseBasic(header)
    if (!isWellFormedApiKey(apiKey)) throw new InvalidApiKeyError('Malformed API key')
    const changesBefore = this.#changes
    const credentials = await this.#db.read.credentials.byApiKeyHash(this.#secrets.hashApiKey(apiKey))
    if (!credentials || emailKey(credentials.user.email) !== emailKey(email)) throw new InvalidApiKeyError()
    if (!this.#secrets.isApiKey(apiKey, credentials.apiKeyHash)) throw new InvalidApiKeyError()
    // Only a caller with a valid key learns this, before anything about the account.
    refuseWhileDeactivated(this.#db.read)
    const actor = asActor(credentials.user)
    if (this.#changes === changesBefore && header.length <= MAX_CACHED_HEADER) this.#remember(header, actor)
    return actor
  }

  #remember(header: string, actor: Actor): void {
    this.#actors.set(header, actor)
    const headers = this.#headers.get(actor.id) ?? new Set()
    this.#headers.set(actor.id, headers.add(header))
    const [oldest] = headers
    if (headers.size > MAX_HEADERS_PER_ACCOUNT && oldest !== undefined) this.#actors.delete(oldest)
  }

  #forget(userId: UserId): void {
    this.#changes += 1
    for (const header of [...(this.#headers.get(userId) ?? [])]) this.#actors.delete(header)
  }
}

function parseBasic(header: string): { email: string; apiKey: string } {
  const [scheme = '', encoded = ''] = header.trim().split(/ +/)
  if (scheme.toLowerCase() !== 'basic') throw new BadRequestError('This endpoint requires HTTP basic authentication.')
  const bytes = Buffer.from(encoded, 'base64')
  // RFC 7617 leaves the encoding open. Python's requests, and so the zulip package, sends Latin-1.
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const colon = text.indexOf(':')
  if (colon < 0) throw new UnauthorizedError('Invalid authorization header for basic auth')
  return { email: text.slice(0, colon).trim(), apiKey: text.slice(colon + 1).trim() }
}
