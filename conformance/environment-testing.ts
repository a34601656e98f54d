const OWN_SETTINGS = /^(PARLEY_.*|PORT|HOST|DATABASE_URL)$/

/**
 * The environment for a child: this process's own, less what configures Parley. A child needs what its machine needs,
 * such as a proxy, a certificate authority or the place of a cache, and nobody can list that.
 */
export function environmentWithoutSettings(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SETTINGS.test(name)))
}
