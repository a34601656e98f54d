import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organizationSettings } from './organization-settings.ts'
import { NO_PICTURES } from './pictures.ts'
import { serverSettings } from './server-settings.ts'

const organization = {
  id: 1,
  uuid: '0f8a5d4c-7c5e-4d53-9a55-3d6f5d0c9b11',
  stringId: '',
  name: 'Harbour',
  description: 'a & b',
  createdAt: 1767225600,
  settings: organizationSettings({}),
  pictures: NO_PICTURES,
  isDeactivated: false,
}
const settings = serverSettings(
  organization,
  {
    publicUrl: 'http://127.0.0.1:9991',
    wireValues: 'contract',
    ownerFullContentAccess: false,
    hasDevelopmentLogin: false,
    sendsPushNotifications: false,
  },
  (source) => `<p>${source.replace('&', '&amp;')}</p>`,
)

test('promise level 482 (LEVEL-INT) with versions that parse', () => {
  assert.equal(settings.zulip_feature_level, 482)
  assert.match(settings.zulip_version, /^\d+\.\d+$/)
  assert.match(settings.zulip_merge_base, /^\d+\.\d+$/)
})

test('offer e-mail and password, and no other way to log in', () => {
  const methods = Object.entries(settings.authentication_methods)
  const offered = methods.filter(([, isOffered]) => isOffered).map(([name]) => name)
  assert.deepEqual(offered, ['password', 'email'])
  assert.deepEqual(settings.external_authentication_methods, [])
})

test('render the description', () => {
  assert.equal(settings.realm_description, '<p>a &amp; b</p>')
})
