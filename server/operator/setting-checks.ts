import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { NEW_ACCOUNT_SETTING_NAMES, USER_SETTING_NAMES } from '../../domain/users/user-settings.ts'
import type { SettingChecks } from '../../exports/import/import-organization.ts'
import { ORGANIZATION_SETTINGS } from '../../exports/organization.ts'

const CONTRACT = 'contract'

/** The contract's description of a setting. */
interface Documented {
  readonly properties: Readonly<Record<string, object>>
}

/** Checks settings of an archive against the contract, like the parameters by which users change them. */
export async function settingChecks(): Promise<SettingChecks> {
  const document = JSON.parse(await readFile(new URL('../../generated/wire.json', import.meta.url), 'utf8')) as {
    components: { schemas: Readonly<Record<string, Documented>> }
  }
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  formats.default(ajv)
  ajv.addSchema(document, CONTRACT)
  const { schemas } = document.components
  const check = (names: readonly string[], prefix: string, ...among: readonly string[]) => {
    return (settings: unknown): string | undefined => {
      if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return 'are no object'
      for (const [name, value] of Object.entries(settings)) {
        const schema = among.find((one) => Object.hasOwn(schemas[one]?.properties ?? {}, `${prefix}${name}`))
        if (!names.includes(name) || schema === undefined) return `have ${JSON.stringify(name)}, which is not known`
        const pointer = `${CONTRACT}#/components/schemas/${schema}/properties/${prefix}${name}`
        if (!ajv.validate({ $ref: pointer }, value))
          return `have a ${name} that ${ajv.errorsText(ajv.errors, { dataVar: 'it' })}`
      }
      return undefined
    }
  }
  return {
    organization: check(ORGANIZATION_SETTINGS, 'realm_', 'PartialRealmState'),
    newAccounts: check(NEW_ACCOUNT_SETTING_NAMES, '', 'UserSettingsDefaults'),
    people: check(USER_SETTING_NAMES, '', 'UserSettingsDefaults', 'OwnSettings'),
  }
}
