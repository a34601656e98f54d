/** A limit of how much of something an account may use within some time. */
export interface Allowance {
  /** Call it when it is the account's turn. Throws if nothing is left. */
  check(): void
  spend(amount: number): void
}

/**
 * Returns a function that spends what the present run of a transaction has used, instead of what its former runs have: a
 * transaction may run again.
 */
export function spendingByRun(allowance: Allowance): (used: number) => void {
  let spent = 0
  return (used) => {
    allowance.spend(used - spent)
    spent = used
  }
}

export const UNLIMITED: Allowance = { check() {}, spend() {} }
