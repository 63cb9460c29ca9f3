import { describe, expect, it } from '@jest/globals';
import { CREDENTIALS_MAX, merchantAccountFault, SETTINGS_MAX } from './merchant-account-form.js';
import { endpoint, merchantAccount } from './routing-fixture.js';

const faultOf = (changes: object) => merchantAccountFault({ ...merchantAccount, ...changes });
const faultAt = (changes: object, mode: 'EXTERNAL' | 'LIVE' = 'LIVE') =>
  faultOf({ endpoints: { [mode]: { ...endpoint, ...changes } } });
const fields = <Value>(number: number, value: Value) =>
  Object.fromEntries(Array.from({ length: number }, (_, index) => [`field${index}`, value]));

describe('a merchant account', () => {
  it('is well formed with an endpoint for one mode or both', () => {
    expect(merchantAccountFault(merchantAccount)).toBeUndefined();
    expect(faultAt({})).toBeUndefined();
    expect(faultAt({}, 'EXTERNAL')).toBeUndefined();
    expect(faultOf({ endpoints: {} })).toBe('noEndpoint');
  });

  it.each([
    ['an id that is no id', { id: 'A'.repeat(32) }, 'malformedId'],
    ['no name', { name: '' }, 'malformedName'],
    ['a name that would end a field of a file', { name: 'A;B' }, 'malformedName'],
    ['a name of 33 characters', { name: 'N'.repeat(33) }, 'malformedName'],
    ['a connector that cannot be one', { connector: '../x' }, 'malformedConnector'],
  ])('is refused with %s', (_, changes, fault) => {
    expect(faultOf(changes)).toBe(fault);
  });

  it('is refused for a fault of either endpoint', () => {
    const wrong = { ...endpoint, address: 'nowhere' };
    expect(faultOf({ endpoints: { EXTERNAL: wrong, LIVE: endpoint } })).toBe('malformedAddress');
    expect(faultOf({ endpoints: { EXTERNAL: endpoint, LIVE: wrong } })).toBe('malformedAddress');
  });
});

describe('the address of an endpoint', () => {
  it.each([
    'https://api.acquirer.example/v1',
    'tls://host.acquirer.example:5000',
    'tcp://10.0.0.7:5000',
    'sftp://files.bank.example/inbox',
  ])('may be %s', (address) => {
    expect(faultAt({ address })).toBeUndefined();
  });

  it.each([
    ['', 'malformedAddress'],
    ['acquirer.example', 'malformedAddress'],
    ['file:///etc/passwd', 'malformedAddress'],
    ['javascript:alert(1)', 'malformedAddress'],
    ['tls:', 'malformedAddress'],
    [`https://acquirer.example/${'a'.repeat(255)}`, 'malformedAddress'],
    ['https://user@acquirer.example', 'secretInAddress'],
    ['https://user:password@acquirer.example', 'secretInAddress'],
    ['tls://:password@acquirer.example:5000', 'secretInAddress'],
    ['https://acquirer.example/?key=123', 'secretInAddress'],
    ['https://acquirer.example/#123', 'secretInAddress'],
  ])('is refused as %s', (address, fault) => {
    expect(faultAt({ address })).toBe(fault);
  });

  it('may be without encryption in tests alone', () => {
    const address = 'http://acquirer.example';
    expect(faultAt({ address }, 'EXTERNAL')).toBeUndefined();
    expect(faultAt({ address })).toBe('addressNotEncrypted');
  });
});

describe("the installation's own acquirer", () => {
  const bare = { settings: {}, credentials: {} };

  it('is named by the connector', () => {
    expect(faultAt({ ...bare, address: 'installation:platform' })).toBeUndefined();
    expect(faultAt({ ...bare, address: 'installation:other' })).toBe('malformedAddress');
    expect(faultAt({ ...bare, address: 'installation:' })).toBe('malformedAddress');
  });

  it('has the settings and credentials of the installation, and no others', () => {
    const address = 'installation:platform';
    const { settings, credentials } = endpoint;
    expect(faultAt({ ...bare, settings, address })).toBe('settingsOfInstallation');
    expect(faultAt({ ...bare, credentials, address })).toBe('settingsOfInstallation');
  });
});

describe('what an endpoint is told', () => {
  it.each(['', ' M1', 'M1 ', 'M\n1', 'M'.repeat(65)])(
    'is no id at the acquirer: %j',
    (acquirerMerchantId) => {
      expect(faultAt({ acquirerMerchantId })).toBe('malformedAcquirerMerchantId');
    },
  );

  it.each(['M', '1 2', 'M'.repeat(64)])('may be its id %j', (acquirerMerchantId) => {
    expect(faultAt({ acquirerMerchantId })).toBeUndefined();
  });

  it.each([
    ...[
      'password',
      'apiPassword',
      'passphrase',
      'clientSecret',
      'accessToken',
      'pin',
      'terminalPin',
    ],
    ...['apiKey', 'privateKey', 'credentials'],
  ])('is a secret, so no setting can have the name %s', (name) => {
    expect(faultAt({ settings: { [name]: 'x' } })).toBe('secretInSettings');
  });

  it.each(['terminal', 'encoding', 'pinpadModel', 'keyFile'])('may be the setting %s', (name) => {
    expect(faultAt({ settings: { [name]: 'x' } })).toBeUndefined();
  });

  it.each([
    ['a name of another form', { 'a.b': 'x' }],
    ['no value', { terminal: '' }],
    ['a line break', { terminal: 'a\nb' }],
    ['a long value', { terminal: 'a'.repeat(10_001) }],
  ])('is refused with %s', (_, settings) => {
    expect(faultAt({ settings })).toBe('malformedSetting');
  });

  it('may be a thousand terminals', () => {
    const terminals = Array.from({ length: 1_000 }, () => 'TERMINAL').join(',');
    expect(faultAt({ settings: { terminals } })).toBeUndefined();
    expect(faultAt({ settings: { terminals: 'a'.repeat(10_000) } })).toBeUndefined();
  });

  it('is limited in number', () => {
    expect(faultAt({ settings: fields(SETTINGS_MAX, 'x') })).toBeUndefined();
    expect(faultAt({ settings: fields(SETTINGS_MAX + 1, 'x') })).toBe('tooManySettings');
    const { password } = endpoint.credentials;
    expect(faultAt({ credentials: fields(CREDENTIALS_MAX, password) })).toBeUndefined();
    expect(faultAt({ credentials: fields(CREDENTIALS_MAX + 1, password) })).toBe('tooManySettings');
  });
});

describe('a credential', () => {
  it.each([
    { kind: 'reference', reference: 'secret:password' },
    { kind: 'reference', reference: 'secret:acquirer-a/live/password' },
  ])('may be %j', (credential) => {
    expect(faultAt({ credentials: { password: credential } })).toBeUndefined();
  });

  it.each([
    'hunter2',
    { kind: 'clear', value: 'hunter2' },
    { kind: 'clear', reference: 'secret:a' },
    { kind: 'reference', reference: 'hunter2' },
    { kind: 'reference', reference: 'secret:Hunter2' },
    { kind: 'reference', reference: 'secret:../../etc/passwd' },
    { kind: 'reference', reference: 'secret:/etc/passwd' },
    { kind: 'reference', reference: 'secret:a', value: 'hunter2' },
  ])('never stands in clear: %j', (credential) => {
    expect(faultAt({ credentials: { password: credential } })).toBe('secretInClear');
  });

  it('has a name of the form of names', () => {
    expect(faultAt({ credentials: { 'a b': { kind: 'reference', reference: 'secret:a' } } })).toBe(
      'malformedSetting',
    );
  });
});
