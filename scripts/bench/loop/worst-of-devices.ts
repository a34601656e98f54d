import { always, type Scene, type WorstCalls } from './scene.ts'

const token = 'a'.repeat(4096)
const apple = { token, appid: 'com.example.chat' }

/** One device less than the maximum for an account. */
const manyDevices = (scene: Scene): Promise<number[]> =>
  scene.once('devices', async () => {
    const ids: number[] = []
    while (ids.length < 999) ids.push((await scene.as('member').must('POST', '/register_client_device')).device_id)
    return ids
  })

const registration = (device_id: number) => ({
  ...{ device_id, push_key_id: 7, token_kind: 'fcm', bouncer_public_key: 'x'.repeat(1000) },
  push_key: Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64'),
  ...{ token_id: Buffer.alloc(8, 7).toString('base64'), encrypted_push_registration: 'x'.repeat(10_000) },
})

const registeredDevices = (scene: Scene): Promise<void> =>
  scene.once('registered devices', async () => {
    for (const id of await manyDevices(scene))
      await scene.as('member').must('POST', '/mobile_push/register', registration(id))
  })

async function newest(scene: Scene): Promise<number> {
  await manyDevices(scene)
  const { devices, queue_id } = await scene.as('member').must('POST', '/register', { event_types: ['device'] })
  await scene.as('member').must('DELETE', '/events', { queue_id })
  const ids = Object.keys(devices).map(Number)
  if (ids.length > 999) return Math.max(...ids)
  return (await scene.as('member').must('POST', '/register_client_device')).device_id
}

const added = (path: string, values: object) => (scene: Scene) => scene.as('member').must('POST', path, { ...values })

export const worstCalls: WorstCalls = {
  'register-client-device': [
    {
      prepare: async (scene) =>
        scene.as('member').must('POST', '/remove_client_device', { device_id: await newest(scene) }),
      call: always('POST', '/register_client_device'),
    },
  ],
  'remove-client-device': [
    { prepare: newest, call: (scene, device_id) => scene.as('member').post('/remove_client_device', { device_id }) },
  ],
  'register-push-device': [
    {
      prepare: manyDevices,
      call: (scene, ids) => scene.as('member').post('/mobile_push/register', registration((ids as number[])[0] ?? 0)),
    },
  ],
  'send-encrypted-test-notification': [
    {
      what: 'a thousand devices',
      prepare: registeredDevices,
      call: always('POST', '/mobile_push/e2ee/test_notification'),
    },
  ],
  'send-test-notification': [
    {
      prepare: added('/users/me/android_gcm_reg_id', { token }),
      call: (scene) => scene.as('member').post('/mobile_push/test_notification', { token }),
    },
  ],
  'add-android-push-token': [{ call: (scene) => scene.as('member').post('/users/me/android_push_reg_id', { token }) }],
  'add-fcm-token': [{ call: (scene) => scene.as('member').post('/users/me/android_gcm_reg_id', { token }) }],
  'remove-fcm-token': [
    {
      prepare: added('/users/me/android_gcm_reg_id', { token }),
      call: (scene) => scene.as('member').delete('/users/me/android_gcm_reg_id', { token }),
    },
  ],
  'add-apns-token': [{ call: (scene) => scene.as('member').post('/users/me/apns_device_token', apple) }],
  'remove-apns-token': [
    {
      prepare: added('/users/me/apns_device_token', apple),
      call: (scene) => scene.as('member').delete('/users/me/apns_device_token', { token }),
    },
  ],
}
