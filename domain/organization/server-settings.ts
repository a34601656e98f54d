import { FEATURE_LEVEL, MERGE_BASE, ZULIP_VERSION } from '../versions.ts'
import type { WireValues } from '../wire-values.ts'
import type { Organization } from './organization-settings.ts'
import { pictureUrl } from './pictures.ts'

/** The address of this server for clients, its names for wire values, and the features that its operator allows. */
export interface Site {
  /** Absolute, without a slash at the end; may have a path. */
  readonly publicUrl: string
  readonly wireValues: WireValues
  /** Whether owners may export private data without consent. */
  readonly ownerFullContentAccess: boolean
  /** Whether users can log in without a password. */
  readonly hasDevelopmentLogin: boolean
  /** Whether mobile devices are notified of messages. */
  readonly sendsPushNotifications: boolean
}

/** Host of the organization, without a port. */
export function hostOf(site: Pick<Site, 'publicUrl'>): string {
  return new URL(site.publicUrl).hostname
}

/**
 * Returns the answer of GET /server_settings, which anybody may request: enough to show the organization and to offer
 * the right log-in method.
 *
 * @param renderMarkdown makes the HTML of the description
 */
export function serverSettings(organization: Organization, site: Site, renderMarkdown: (source: string) => string) {
  return {
    authentication_methods: {
      password: true,
      dev: site.hasDevelopmentLogin,
      email: true,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      apple: false,
      google: false,
      saml: false,
      'openid connect': false,
    },
    external_authentication_methods: [],
    zulip_feature_level: FEATURE_LEVEL,
    zulip_version: ZULIP_VERSION,
    zulip_merge_base: MERGE_BASE,
    push_notifications_enabled: site.sendsPushNotifications,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: site.publicUrl,
    realm_uri: site.publicUrl,
    realm_name: organization.name,
    realm_icon: pictureUrl('icon', organization.pictures.icon, site),
    realm_description: renderMarkdown(organization.description),
    realm_web_public_access_enabled: false,
  }
}
