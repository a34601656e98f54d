import type { Account } from '../deployment/account.ts'
import type { Exchange } from '../wire/http.ts'

/**
 * From this level on the contract has an operation for one setting; below it, the operation for several takes a list of
 * one.
 */
const ownOperationFrom = 482

/** A personal setting of a channel. */
export interface SettingChange {
  readonly stream_id: number | undefined
  readonly property: string
  readonly value: unknown
}

export function hasOwnOperation(level: number): boolean {
  return level >= ownOperationFrom
}

/** Changes a setting with the operation that the server's level has. */
export function changeSetting(account: Account, level: number, change: SettingChange): Promise<Exchange> {
  return hasOwnOperation(level)
    ? account.call('update-subscription-setting', { ...change })
    : account.call('update-subscription-settings', { subscription_data: [change] })
}
