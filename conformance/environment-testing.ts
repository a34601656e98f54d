const OWN_SETTINGS = /^(PARLEY_.*|PORT|HOST|DATABASE_URL)$/

/**
 * The environment for a child process: this process's own, without Parley's settings. A child needs what its machine
 * needs, such as a proxy, a certificate authority or the path of a cache, and nobody can list that.
 */
export function environmentWithoutSettings(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SETTINGS.test(name)))
}
