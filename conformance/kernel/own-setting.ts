import type { Account } from '../deployment/account.ts'
import type { Exchange } from '../wire/http.ts'

/** Runs `body`, which may change a setting of a person, and restores it afterwards. */
export async function withOwnSetting(
  person: Account,
  name: string,
  body: (set: (value: unknown) => Promise<Exchange>) => Promise<void>,
): Promise<void> {
  const state = await person.must('register-queue', { event_types: ['user_settings'] })
  const usual = state.body.user_settings?.[name]
  try {
    await body((value) => person.must('update-settings', { [name]: value }))
  } finally {
    if (usual !== undefined) await person.call('update-settings', { [name]: usual })
  }
}
