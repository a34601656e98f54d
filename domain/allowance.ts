/** A limit of how much of something an account may use within some time. */
export interface Allowance {
  /** Call it when it is the account's turn. Throws if nothing is left. */
  check(): void
  spend(amount: number): void
}

export const UNLIMITED: Allowance = { check() {}, spend() {} }
