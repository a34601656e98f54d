import type { Schemas } from '../../generated/operations.ts'

/** Other services whose accounts a profile can name without anybody writing their address; by the word that `subtype` has. */
export const EXTERNAL_ACCOUNTS: Readonly<Record<string, Schemas['ExternalAccountKind']>> = {
  github: kind('GitHub', 'GitHub username', 'https://github.com/%(username)s'),
  gitlab: kind('GitLab', 'GitLab username', 'https://gitlab.com/%(username)s'),
  twitter: kind('Twitter', 'Twitter username', 'https://twitter.com/%(username)s'),
}

/** The subtype of an account whose address the organization describes itself. */
export const CUSTOM = 'custom'

function kind(text: string, name: string, url_pattern: string): Schemas['ExternalAccountKind'] {
  return { text, name, url_pattern, hint: '' }
}
