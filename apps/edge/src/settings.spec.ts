import { describe, expect, it } from '@jest/globals';
import { BUILD_NUMBER, buildNumberOfFiles, loadSettings } from '@sluice/service';
import { EdgeSettings } from './settings.js';

const key = Buffer.alloc(32, 5);
const required = { CREDENTIAL_KEY: key.toString('base64') };
const load = (environment: NodeJS.ProcessEnv) =>
  loadSettings(EdgeSettings, { ...required, ...environment });

describe('EdgeSettings', () => {
  it('needs the credential key alone', () => {
    expect(load({})).toMatchObject({
      credentialKey: key,
      port: 8080,
      host: '127.0.0.1',
      gatewayEnvironment: 'test',
      throttlePerSecond: 200,
      throttleBurst: 400,
      duplicateWaitMs: 30_000,
      closeWaitMs: 30_000,
    });
    expect(() => loadSettings(EdgeSettings, {})).toThrow(/CREDENTIAL_KEY must be set/);
  });

  it('reads the key from base64 and never prints it', () => {
    const settings = load({});
    expect(settings.credentialKey.equals(key)).toBe(true);
    expect(JSON.stringify(settings)).not.toContain('credentialKey');
  });

  it.each([
    ['CREDENTIAL_KEY', 'short'],
    ['EDGE_PORT', '65536'],
    ['GATEWAY_ENVIRONMENT', 'production'],
    ['THROTTLE_PER_SECOND', '-1'],
    ['BUILD_NUMBER', 'v1'],
    ['DUPLICATE_WAIT_MS', '30001'],
    ['EDGE_BIN_FILE', '/no/such/file'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(new RegExp(name));
  });
});

describe('the build number of the compiled files', () => {
  it('has the form of the interface family and is the same every time', () => {
    expect(buildNumberOfFiles(import.meta.url)).toMatch(BUILD_NUMBER);
    expect(buildNumberOfFiles(import.meta.url)).toBe(buildNumberOfFiles(import.meta.url));
  });
});
