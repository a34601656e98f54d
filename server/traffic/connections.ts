import type { Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { loopTurns } from '../../event-loop/loop-turns.ts'

export interface ConnectionLimits {
  readonly all: number
  /** Limit for connections without credentials. */
  readonly perAddress: number
  readonly perAccount: number
}

/** Reasons to close or refuse a connection. */
export type ConnectionRefusal = 'all' | 'address' | 'account'

interface Connection {
  readonly address: string
  /** Account of the latest credentials; undefined if there were none yet. */
  accountId: number | undefined
}

/**
 * Open connections, counted by address until credentials are shown and by account from then on, because a whole office
 * shares an address. If there are too many, the oldest ones without credentials are closed.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #onRefused: (why: ConnectionRefusal) => void
  readonly #open = new Map<Socket, Connection>()
  /** Connections without credentials, the oldest first: of one address, and of all. */
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #unknown = new Set<Socket>()
  readonly #byAccount = new Map<number, number>()

  constructor(limits: ConnectionLimits, onRefused: (why: ConnectionRefusal) => void) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  get counts(): { readonly all: number; readonly unknown: number } {
    return { all: this.#open.size, unknown: this.#unknown.size }
  }

  /** Whether a client has not read all of an answer. */
  get areSending(): boolean {
    return [...this.#open.keys()].some((socket) => socket.writableLength > 0)
  }

  /** Closes connections on which nothing was ever sent, as browsers open them in advance; Node takes them for busy. */
  closeUnused(): void {
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      loopTurns.arrived()
      this.#add(socket)
    })
  }

  /**
   * Records that credentials of this account were shown on `socket`. @returns false if the account has too many
   * connections
   */
  belongsTo(socket: Socket, accountId: number): boolean {
    const connection = this.#open.get(socket)
    // Connections of a server that is not ours are not counted.
    if (connection === undefined || connection.accountId === accountId) return true
    const count = (this.#byAccount.get(accountId) ?? 0) + 1
    if (count > this.#limits.perAccount) {
      this.#onRefused('account')
      return false
    }
    this.#leave(socket, connection)
    connection.accountId = accountId
    this.#byAccount.set(accountId, count)
    return true
  }

  #add(socket: Socket): void {
    const address = addressKey(socket.remoteAddress ?? '')
    const connection: Connection = { address, accountId: undefined }
    const neighbours = this.#byAddress.get(address) ?? new Set()
    if (neighbours.size >= this.#limits.perAddress) this.#close(neighbours, 'address')
    if (this.#open.size >= this.#limits.all && !this.#close(this.#unknown, 'all')) {
      this.#onRefused('all')
      socket.destroy()
      return
    }
    this.#open.set(socket, connection)
    this.#unknown.add(socket)
    this.#byAddress.set(address, neighbours.add(socket))
    // Every pipelined request adds a listener for the end of the connection.
    socket.setMaxListeners(0)
    socket.once('close', () => this.#remove(socket))
  }

  /** Closes the first of these. */
  #close([oldest]: Set<Socket>, why: ConnectionRefusal): boolean {
    if (oldest === undefined) return false
    this.#onRefused(why)
    this.#remove(oldest)
    oldest.destroy()
    return true
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    this.#open.delete(socket)
    this.#leave(socket, connection)
  }

  /** Stops counting a connection for its account or address. */
  #leave(socket: Socket, { address, accountId }: Connection): void {
    if (accountId === undefined) {
      this.#unknown.delete(socket)
      const neighbours = this.#byAddress.get(address)
      neighbours?.delete(socket)
      if (neighbours?.size === 0) this.#byAddress.delete(address)
      return
    }
    const left = (this.#byAccount.get(accountId) ?? 0) - 1
    if (left > 0) this.#byAccount.set(accountId, left)
    else this.#byAccount.delete(accountId)
  }
}

/** A host has 2^64 IPv6 addresses; the first half of the address identifies it. */
export function addressKey(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after] = address.split('%')[0]?.split('::') ?? []
  const groups = before === '' ? [] : before.split(':')
  const last = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? [] : Array<string>(8 - groups.length - last.length).fill('0')
  return [...groups, ...zeros, ...last].slice(0, 4).join(':')
}
