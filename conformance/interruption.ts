const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** npm passes on the Ctrl-C that the whole group of processes gets, and the command ends with a shell that ended. */
const REPEATED_MS = 2000

/** Aborted by the first Ctrl-C or SIGTERM, with a message; another one, later than that, ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  const interrupt = (): void => {
    if (controller.signal.aborted) return
    console.error('interrupted: removing what was made (interrupt again to end at once)')
    setTimeout(() => {
      for (const name of SIGNALS) process.off(name, interrupt)
    }, REPEATED_MS).unref()
    controller.abort()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  process.stdout.on('error', interrupt) // nobody reads the output any more
  return controller.signal
}
