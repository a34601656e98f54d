import { isGuest } from '../../domain/users/roles.ts'
import type { StatePart } from './state-request.ts'

/** The number that fields of a kind have, and its name for people. */
const CUSTOM_PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text, one line' },
  LONG_TEXT: { id: 2, name: 'Text, several lines' },
  SELECT: { id: 3, name: 'Choice from a list' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'Account elsewhere' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
}

/** What administrators set up, each list under the name of its events. */
export const organizationListsPart: StatePart = async ({ organizationLists }, actor, { isWanted, capabilities }) => ({
  ...(isWanted('channel_folders') && { channel_folders: await organizationLists.channelFolders() }),
  ...(isWanted('custom_profile_fields') && {
    custom_profile_fields: (await organizationLists.customProfileFields()).map((field) =>
      field.type === CUSTOM_PROFILE_FIELD_TYPES.PRONOUNS.id && !capabilities.pronouns_field_type_supported
        ? { ...field, type: CUSTOM_PROFILE_FIELD_TYPES.SHORT_TEXT.id }
        : field,
    ),
    custom_profile_field_types: CUSTOM_PROFILE_FIELD_TYPES,
  }),
  ...(isWanted('default_streams') && {
    realm_default_streams: isGuest(actor.role) ? [] : await organizationLists.defaultChannelIds(),
  }),
  ...(isWanted('default_stream_groups') && {
    realm_default_stream_groups: isGuest(actor.role) ? [] : await organizationLists.defaultChannelGroups(),
  }),
  ...(isWanted('realm_domains') && { realm_domains: await organizationLists.emailDomains() }),
  ...(isWanted('realm_linkifiers') && {
    realm_linkifiers: capabilities.linkifier_url_template ? await organizationLists.linkifiers() : [],
  }),
  ...(isWanted('realm_playgrounds') && { realm_playgrounds: await organizationLists.playgrounds() }),
  // Gone from level 176 on.
  ...(isWanted('realm_filters') && { realm_filters: [] as never[] }),
  // Parley offers none of these: no GIFs, payment, embedded programs or incoming webhooks, and a search for every word.
  ...(isWanted('giphy') && { giphy_api_key: '' }),
  ...(isWanted('tenor') && { tenor_api_key: '' }),
  ...(isWanted('realm_billing') && { realm_billing: { has_pending_sponsorship_request: false } }),
  ...(isWanted('realm_embedded_bots') && { realm_embedded_bots: [] }),
  ...(isWanted('realm_incoming_webhook_bots') && { realm_incoming_webhook_bots: [] }),
  ...(isWanted('stop_words') && { stop_words: [] }),
})
