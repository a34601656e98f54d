/** What an account may take of something in a while. */
export interface Allowance {
  /** Asked when it is the account's turn. Throws when nothing is left. */
  check(): void
  spend(amount: number): void
}
