import type { LibraryCall } from './library-call.ts'

const as = 'owner'

/** Methods of zulip.Client about the organization, its people, channels and groups. */
export const PYTHON_ADMINISTRATION: readonly LibraryCall[] = [
  { name: 'get_server_settings', answers: 'zulip_version' },
  { name: 'get_streams', named: () => ({ include_public: true }), answers: 'streams' },
  { name: 'update_stream', as, args: ({ channelId }) => [{ stream_id: channelId, description: 'How it looks' }] },
  { name: 'add_default_stream', as, args: ({ channelId }) => [channelId] },
  { name: 'get_stream_email_address', args: ({ channelId }) => [channelId], answers: 'email' },
  { name: 'get_subscribers', named: () => ({ stream: 'design' }), answers: 'subscribers' },
  { name: 'get_subscriptions', answers: 'subscriptions' },
  { name: 'list_subscriptions', answers: 'subscriptions' },
  { name: 'get_users', answers: 'members' },
  { name: 'get_members', args: () => [{ client_gravatar: false }], answers: 'members' },
  {
    name: 'create_user',
    as,
    args: () => [{ email: 'python@example.com', password: 'correct horse battery', full_name: 'Made by Python' }],
    answers: 'user_id',
  },
  { name: 'get_realm_linkifiers', answers: 'linkifiers' },
  { name: 'add_realm_filter', as, args: () => ['P(?P<id>[0-9]+)', 'https://example.com/{id}'], makes: 'id' },
  { name: 'remove_realm_filter', as, args: ({ made }) => [made.add_realm_filter] },
  {
    name: 'create_realm_profile_field',
    as,
    named: () => ({ name: 'Team', hint: 'Which one', field_type: 1 }),
    makes: 'id',
  },
  { name: 'get_realm_profile_fields', answers: 'custom_fields' },
  {
    name: 'update_realm_profile_field',
    as,
    args: ({ made }) => [made.create_realm_profile_field],
    named: () => ({ name: 'Crew', hint: '' }),
  },
  {
    name: 'reorder_realm_profile_fields',
    as,
    named: ({ made }) => ({ order: [made.create_realm_profile_field] }),
  },
  { name: 'remove_realm_profile_field', as, args: ({ made }) => [made.create_realm_profile_field] },
  {
    name: 'create_user_group',
    as,
    args: ({ userIds }) => [{ name: 'python', description: 'Who likes it', members: [userIds.member] }],
    makes: 'group_id',
  },
  { name: 'get_user_groups', answers: 'user_groups' },
  {
    name: 'update_user_group',
    as,
    args: ({ made }) => [{ group_id: made.create_user_group, name: 'pythons', description: 'Who like it' }],
  },
  {
    name: 'update_user_group_members',
    as,
    args: ({ made, userIds }) => [made.create_user_group, { add: [userIds.member2], delete: [userIds.member] }],
  },
  { name: 'move_topic', as, args: () => ['design', 'elsewhere', 'plans', 'signal'] },
]

/** Methods of zulip.Client that programs in `tests/clients/clients.full.ts` call. */
export const PYTHON_ELSEWHERE: readonly string[] = [
  ...['register', 'deregister', 'get_events', 'call_on_each_event', 'call_on_each_message', 'call_endpoint'],
  ...['get_messages', 'get_raw_message', 'get_profile', 'upload_file'],
]

/** Methods that send nothing of their own. */
export const PYTHON_INNER: readonly string[] = ['do_api_query', 'ensure_session', 'get_user_agent']

/** Methods that are not run, with the reason. */
export const PYTHON_NOT_RUN: Readonly<Record<string, string>> = {
  upload_custom_emoji: 'takes an open file and sends it as upload_file does, which is run',
  delete_custom_emoji: 'needs an uploaded emoji',
  remove_user_group: 'groups are deactivated, as servers of this level do: 405',
}
