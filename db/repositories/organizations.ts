import {
  type Organization,
  type OrganizationChanges,
  type OrganizationSettings,
  organizationSettings,
} from '../../domain/organization/organization-settings.ts'
import {
  type OrganizationPictures,
  PICTURE_KINDS,
  type PictureKind,
  pictureAddress,
  type StoredPicture,
} from '../../domain/organization/pictures.ts'
import type { UserSettingsDefaults } from '../../domain/users/user-settings.ts'
import { Repository } from '../repository.ts'

interface OrganizationRow {
  readonly id: number
  readonly uuid: string
  readonly string_id: string
  readonly name: string
  readonly description: string
  readonly created_at: number
  readonly settings: string
  readonly pictures: string | null
  readonly deactivated_at: number | null
}

type StoredPictures = { readonly [Kind in PictureKind]?: StoredPicture }

const NO_PICTURE: StoredPicture = { key: null, version: 1 }

export class OrganizationReader extends Repository {
  /** Returns the organization of this database; undefined before the first start has created it. */
  async find(): Promise<Organization | undefined> {
    const row = await this.session.get<OrganizationRow>('select * from organization where id = 1')
    return (
      row && {
        id: row.id,
        uuid: row.uuid,
        stringId: row.string_id,
        name: row.name,
        description: row.description,
        createdAt: row.created_at,
        settings: organizationSettings(JSON.parse(row.settings) as Partial<OrganizationSettings>),
        pictures: addressesOf(storedPictures(row.pictures)),
        isDeactivated: row.deactivated_at !== null,
      }
    )
  }

  /** Returns the settings for new accounts that differ from the server's defaults. */
  async newAccountSettings(): Promise<Partial<UserSettingsDefaults>> {
    const row = await this.session.get<{ stored: string | null }>(
      'select new_account_settings as stored from organization where id = 1',
    )
    return JSON.parse(row?.stored ?? '{}') as Partial<UserSettingsDefaults>
  }

  /** Returns the stored data of a picture of the organization. */
  async picture(kind: PictureKind): Promise<StoredPicture> {
    return (await this.pictures())[kind] ?? NO_PICTURE
  }

  /** Returns the value that verifies the secret of the API keys; undefined before the first start. */
  async secretCheck(): Promise<string | undefined> {
    const row = await this.session.get<{ secret_check: string }>('select secret_check from organization where id = 1')
    return row?.secret_check
  }

  /** Returns the stored data of its pictures by kind. A picture that was never uploaded has no entry. */
  async pictures(): Promise<StoredPictures> {
    const row = await this.session.get<Pick<OrganizationRow, 'pictures'>>(
      'select pictures from organization where id = 1',
    )
    return storedPictures(row?.pictures ?? null)
  }
}

export class OrganizationWriter extends OrganizationReader {
  /** Stores the changes; everything else stays. */
  async update({ name, description, ...settings }: OrganizationChanges): Promise<void> {
    const row = await this.session.get<OrganizationRow>('select * from organization where id = 1')
    if (!row) throw new Error('the database has no organization yet')
    const stored = { ...(JSON.parse(row.settings) as Partial<OrganizationSettings>), ...settings }
    await this.session.run('update organization set name = ?, description = ?, settings = ? where id = 1', [
      name ?? row.name,
      description ?? row.description,
      JSON.stringify(stored),
    ])
  }

  /** @param at UNIX seconds; null if it is active again */
  async setDeactivated(at: number | null): Promise<void> {
    await this.session.run('update organization set deactivated_at = ? where id = 1', [at])
  }

  /** Replaces a picture of a kind. */
  async updatePicture(kind: PictureKind, picture: StoredPicture): Promise<void> {
    const stored = { ...(await this.pictures()), [kind]: picture }
    await this.session.run('update organization set pictures = ? where id = 1', [JSON.stringify(stored)])
  }

  /** Merges `changes` into the stored settings. */
  async updateNewAccountSettings(changes: Partial<UserSettingsDefaults>): Promise<void> {
    const stored = { ...(await this.newAccountSettings()), ...changes }
    await this.session.run('update organization set new_account_settings = ? where id = 1', [JSON.stringify(stored)])
  }

  /** @param secretCheck from secrets/secrets.ts */
  async insert(
    organization: Omit<Organization, 'id' | 'settings' | 'pictures' | 'isDeactivated'>,
    secretCheck: string,
  ): Promise<void> {
    await this.session.knex('organization').insert({
      id: 1,
      uuid: organization.uuid,
      string_id: organization.stringId,
      name: organization.name,
      description: organization.description,
      created_at: organization.createdAt,
      secret_check: secretCheck,
      settings: '{}',
    })
  }
}

function storedPictures(json: string | null): StoredPictures {
  return JSON.parse(json ?? '{}') as StoredPictures
}

function addressesOf(stored: StoredPictures): OrganizationPictures {
  return Object.fromEntries(
    PICTURE_KINDS.map((kind) => [kind, pictureAddress(stored[kind] ?? NO_PICTURE)]),
  ) as unknown as OrganizationPictures
}
