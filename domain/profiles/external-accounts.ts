import type { Schemas } from '../../generated/operations.ts'

/** Services whose accounts profiles can name without an address template, by the word in `subtype`. */
export const EXTERNAL_ACCOUNTS: Readonly<Record<string, Schemas['ExternalAccountKind']>> = {
  github: kind('GitHub', 'GitHub username', 'https://github.com/%(username)s'),
  gitlab: kind('GitLab', 'GitLab username', 'https://gitlab.com/%(username)s'),
  twitter: kind('Twitter', 'Twitter username', 'https://twitter.com/%(username)s'),
}

/** The subtype of an account with an address template of the organization. */
export const CUSTOM = 'custom'

function kind(text: string, name: string, url_pattern: string): Schemas['ExternalAccountKind'] {
  return { text, name, url_pattern, hint: '' }
}
