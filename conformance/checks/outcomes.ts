import type { CheckContext } from '../kernel/check-context.ts'
import type { Shows } from '../kernel/effect.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused } from '../wire/values.ts'

/** Reports outcomes under one requirement, with the signature of `shows`. */
export function by(t: CheckContext, id: string): Shows {
  return (exchange, isRight, expected) => t.that(id, exchange, isRight, expected)
}

/** @param why in words, such as `somebody else wrote it` */
export function refuses(shows: Shows, exchange: Exchange, why: string): boolean {
  return shows(exchange, isRefused(exchange), `a refusal: ${why}`)
}

/** As `refuses`, where the contract names the code. */
export function refusesWith(shows: Shows, code: string, exchange: Exchange, why: string): boolean {
  return shows(exchange, exchange.body?.code === code, `${code}: ${why}`)
}

/** @param why in words, such as `the code is that of a reaction which is there` */
export function succeeds(shows: Shows, exchange: Exchange, why: string): boolean {
  return shows(exchange, exchange.status === 200, `success: ${why}`)
}
