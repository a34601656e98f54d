import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { API_KEY_LENGTH } from '../domain/limits.ts'

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** About 16 MiB and 40 ms a password. */
const SCRYPT = { N: 16_384, r: 8, p: 1 } as const

export function isWellFormedApiKey(key: string): boolean {
  return key.length === API_KEY_LENGTH && /^[A-Za-z0-9]+$/.test(key)
}

/** 32 letters and digits (AUTH-18), 190 bits. */
export function newApiKey(): string {
  return newKey(API_KEY_LENGTH)
}

/** Random letters and digits, six bits each. */
export function newKey(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')
}

/**
 * All operations that need the server's secret, so that a stolen database alone reveals no key. Keys are found by a
 * keyed hash, and stored encrypted because POST /fetch_api_key returns them again.
 */
export class Secrets {
  /** Stored in the database, to detect a start with another secret. 64 hexadecimal digits. */
  readonly checkValue: string
  readonly #hashKey: Buffer
  readonly #encryptionKey: Buffer
  readonly #linkKey: Buffer

  constructor(secret: string) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
    this.#hashKey = derive('api key hash')
    this.#encryptionKey = derive('api key encryption')
    this.#linkKey = derive('temporary link')
    this.checkValue = createHmac('sha256', derive('secret check')).update('parley').digest('hex')
  }

  /** 64 hexadecimal digits. */
  hashApiKey(apiKey: string): string {
    return createHmac('sha256', this.#hashKey).update(apiKey).digest('hex')
  }

  isApiKey(apiKey: string, storedHash: string): boolean {
    return timingSafeEqual(Buffer.from(this.hashApiKey(apiKey)), Buffer.from(storedHash))
  }

  /** AES-256-GCM: base64 of nonce, tag and ciphertext. */
  encrypt(apiKey: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#encryptionKey, nonce)
    const text = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
  }

  /** @throws if the database was made with another secret */
  decrypt(encrypted: string): string {
    const bytes = Buffer.from(encrypted, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#encryptionKey, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Signs a link that works without credentials. 43 characters of base64url. @param expiresAt UNIX seconds */
  signLink(pathId: string, expiresAt: number): string {
    return createHmac('sha256', this.#linkKey).update(`${expiresAt}\n${pathId}`).digest('base64url')
  }

  /** Takes the same time for every wrong signature. */
  isLinkSignature(signature: string, pathId: string, expiresAt: number): boolean {
    const right = Buffer.from(this.signLink(pathId, expiresAt))
    const sent = Buffer.from(signature)
    return sent.length === right.length && timingSafeEqual(sent, right)
  }

  /** The columns of a new account that hold its key. */
  storedApiKey(apiKey: string): { readonly apiKeyHash: string; readonly apiKeyEncrypted: string } {
    return { apiKeyHash: this.hashApiKey(apiKey), apiKeyEncrypted: this.encrypt(apiKey) }
  }
}

/** `scrypt$N$r$p$salt$hash`: old passwords stay valid when the cost grows. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const { N, r, p } = SCRYPT
  const hash = await scryptOf(password, salt, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

const NOBODYS_SALT = Buffer.alloc(16)

/** @param stored null for accounts without a password and for unknown ones: the answer takes as long as a real check */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  if (stored === null) {
    await scryptOf(password, NOBODYS_SALT, SCRYPT)
    return false
  }
  const [, N, r, p, salt = '', hash = ''] = stored.split('$')
  const expected = Buffer.from(hash, 'base64')
  const given = await scryptOf(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, expected)
}

/**
 * Only two passwords are hashed at a time: each takes 16 MB, and files need the other threads of the pool. By default
 * `malloc` keeps a block for every thread that ever had one; `npm start` changes that.
 */
const lines: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let turn = 0

function scryptOf(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  turn = (turn + 1) % lines.length
  const hashed = (lines[turn] ?? Promise.resolve()).then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFC'), salt, 32, cost, (err, key) => (err ? reject(err) : resolve(key)))
      }),
  )
  lines[turn] = hashed.catch(() => undefined)
  return hashed
}
