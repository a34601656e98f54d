/** Aborted by the first Ctrl-C or SIGTERM, with a message; the second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      console.error('interrupted: removing what was made (interrupt again to end at once)')
      controller.abort()
    })
  }
  return controller.signal
}
