/**
 * All event types of level 482, including those that this server does not send yet: a queue may ask for any of them,
 * and unknown ones are ignored.
 */
export const EVENT_TYPES = (
  'alert_words attachment channel_folder custom_profile_fields default_stream_groups default_streams ' +
  'delete_message device drafts has_zoom_token heartbeat invites_changed message muted_topics muted_users ' +
  'navigation_view onboarding_steps presence reaction realm realm_bot realm_domains realm_emoji realm_export ' +
  'realm_export_consent realm_filters realm_linkifiers realm_playgrounds realm_user ' +
  'realm_user_settings_defaults reminders restart saved_snippets scheduled_messages stream submessage ' +
  'subscription typing typing_edit_message update_display_settings update_global_notifications update_message ' +
  'update_message_flags user_group user_settings user_status user_topic web_reload_client'
).split(' ')

/** Returns the event types among `names`, each once. */
export function knownEventTypes(names: readonly string[]): string[] {
  const wanted = new Set(names)
  return EVENT_TYPES.filter((type) => wanted.has(type))
}
