/** @param ms how long nothing has been heard */
export function silenceError(ms: number): Error {
  return new Error(`the database has not answered for ${ms / 1000} s`)
}

/** Returns what the database answers. @throws an error after `ms` milliseconds without an answer */
export async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(silenceError(ms)), ms)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
