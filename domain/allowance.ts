/** A limit of what an account may use of something within some time. */
export interface Allowance {
  /** Called when it is the account's turn. Throws if nothing is left. */
  check(): void
  spend(amount: number): void
}
