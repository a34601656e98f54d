/** The result of `work`; undefined when it takes longer than `limitMs` milliseconds, which does not end it. */
export async function withinMs<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), limitMs)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
