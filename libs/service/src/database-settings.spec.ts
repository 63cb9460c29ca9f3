import { describe, expect, it } from '@jest/globals';
import { databaseSettings, tablesSettings } from './database-settings.js';
import { loadSettings, variableNames } from './settings.js';
import { settingsHelp } from './settings-help.js';

const DATABASE = 'postgres://parcels:secret@127.0.0.1/sluice';

class ParcelSettings extends databaseSettings('parcel-store', { least: 2, most: 9, default: 4 }) {}

const load = (environment: NodeJS.ProcessEnv): ParcelSettings =>
  loadSettings(ParcelSettings, { PARCEL_STORE_DATABASE_URL: DATABASE, ...environment });

describe("the settings of a service's own database", () => {
  it("are called by the service's name", () => {
    expect(variableNames(ParcelSettings).toSorted()).toEqual([
      'PARCEL_STORE_CONNECTIONS_MAX',
      'PARCEL_STORE_DATABASE_URL',
      'PARCEL_STORE_DATABASE_URL_FILE',
      'PARCEL_STORE_OWNER_DATABASE_URL',
      'PARCEL_STORE_OWNER_DATABASE_URL_FILE',
      'PARCEL_STORE_SCHEMA',
    ]);
  });

  it('need the address alone', () => {
    const settings = load({});
    expect(settings.databaseUrl).toBe(DATABASE);
    expect(settings).toMatchObject({ schema: 'parcel_store', connectionsMax: 4 });
    expect(settings.ownerDatabaseUrl).toBeUndefined();
    expect(() => loadSettings(ParcelSettings, {})).toThrow('PARCEL_STORE_DATABASE_URL must be set');
  });

  it.each(['1', '10'])('refuse %s connections', (PARCEL_STORE_CONNECTIONS_MAX) => {
    expect(() => load({ PARCEL_STORE_CONNECTIONS_MAX })).toThrow('PARCEL_STORE_CONNECTIONS_MAX');
  });

  it('show no address', () => {
    expect(JSON.stringify(load({ PARCEL_STORE_OWNER_DATABASE_URL: DATABASE }))).not.toContain(
      'secret',
    );
  });

  it('of two services do not mix', () => {
    const relay = tablesSettings('letters', 'the database of letters');
    expect(variableNames(relay)).not.toContain('PARCEL_STORE_DATABASE_URL');
    expect(settingsHelp('relay', [relay])).toContain(
      'the database of letters (secret, must be set)',
    );
  });
});
