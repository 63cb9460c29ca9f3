import { describe, expect, it } from '@jest/globals';
import { readDeviceInfo } from './device-info.js';
import { saidBySdk } from './device-info-fixture.js';

const { messageVersion, ...sdk } = saidBySdk;
/** More than there are points. */
const TOO_LARGE = Buffer.alloc(32, 0xff).toString('base64url');
const text = (changes: object = {}) => JSON.stringify({ ...saidBySdk, ...changes });
const allScreens = { sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] };
const elementsOf = (read: ReturnType<typeof readDeviceInfo>) =>
  'info' in read ? read.info.elements : read;

describe('what the SDK of an app has made', () => {
  it.each([
    ['as text', text()],
    ['in base64url', Buffer.from(text()).toString('base64url')],
    ['with the key as text', text({ sdkEphemPubKey: JSON.stringify(sdk.sdkEphemPubKey) })],
    ['with what it says of the message', text({ messageType: 'AuthRequest', deviceChannel: '01' })],
  ])('is read %s', (_, said) => {
    expect(readDeviceInfo(said)).toEqual({
      info: {
        ...{ version: messageVersion, challengeMinutes: 5 },
        elements: { ...sdk, deviceRenderOptions: allScreens },
      },
    });
  });

  it('may leave out the version and the minutes: those are five', () => {
    const read = readDeviceInfo(text({ messageVersion: undefined, sdkMaxTimeout: undefined }));
    expect(read).not.toHaveProperty('info.version');
    expect(elementsOf(read)).toMatchObject({ sdkMaxTimeout: '05' });
  });

  it.each([
    [
      { sdkInterface: '01', sdkUiType: '31' },
      { ...allScreens, sdkInterface: '01' },
    ],
    [{ sdkUiType: '5' }, { sdkInterface: '03', sdkUiType: ['01', '03'] }],
    [{ sdkUiType: '05' }, { sdkInterface: '03', sdkUiType: ['05'] }],
    [{ sdkUiType: ['02', '04'] }, { sdkInterface: '03', sdkUiType: ['02', '04'] }],
    [
      { deviceRenderOptions: { sdkInterface: '02', sdkUiType: ['05'] } },
      { sdkInterface: '02', sdkUiType: ['05'] },
    ],
  ])('says which screens it has: %j', (said, deviceRenderOptions) => {
    expect(elementsOf(readDeviceInfo(text(said)))).toMatchObject({ deviceRenderOptions });
  });

  it('passes on of its key what makes it one', () => {
    const key = { ...sdk.sdkEphemPubKey, kid: 'x' };
    const read = elementsOf(readDeviceInfo(text({ sdkEphemPubKey: key })));
    expect(read).toHaveProperty('sdkEphemPubKey', sdk.sdkEphemPubKey);
  });

  it.each<[string, object]>([
    ['it lacks sdkTransID', { sdkTransID: undefined }],
    ['it lacks sdkEncData', { sdkEncData: undefined }],
    ['it lacks sdkEphemPubKey', { sdkEphemPubKey: undefined }],
    ['a sdkTransID that is not a UUID', { sdkTransID: 'x' }],
    ['a sdkAppID that is not a UUID', { sdkAppID: 7 }],
    ['a sdkReferenceNumber that is not', { sdkReferenceNumber: 'x'.repeat(33) }],
    ['a sdkEphemPubKey that is not', { sdkEphemPubKey: 'x' }],
    ['a sdkEphemPubKey that is not', { sdkEphemPubKey: { ...sdk.sdkEphemPubKey, crv: 'P-521' } }],
    ['a sdkEphemPubKey that is not', { sdkEphemPubKey: { ...sdk.sdkEphemPubKey, x: 'short' } }],
    [
      'JWK), without its private part',
      { sdkEphemPubKey: { ...sdk.sdkEphemPubKey, d: sdk.sdkEphemPubKey.x } },
    ],
    [
      'a sdkEphemPubKey that is not',
      { sdkEphemPubKey: { ...sdk.sdkEphemPubKey, y: sdk.sdkEphemPubKey.x } },
    ],
    ['a sdkEphemPubKey that is not', { sdkEphemPubKey: { ...sdk.sdkEphemPubKey, y: TOO_LARGE } }],
    ['a sdkMaxTimeout that is not', { sdkMaxTimeout: '04' }],
    ['a sdkMaxTimeout that is not', { sdkMaxTimeout: '21' }],
    ['a sdkMaxTimeout that is not', { sdkMaxTimeout: 5 }],
    ['another deviceChannel', { deviceChannel: '02' }],
    ['another messageVersion', { messageVersion: '1.0.2' }],
    ['an sdkInterface or sdkUiType', { sdkInterface: '04' }],
    ['an sdkInterface or sdkUiType', { sdkUiType: '32' }],
    ['an sdkInterface or sdkUiType', { sdkUiType: [] }],
    ['an sdkInterface or sdkUiType', { sdkUiType: ['99'] }],
    ['elements that an app does not say', { acctNumber: '4200000000000000' }],
    ['elements that an app does not say', { constructor: 'x' }],
  ])('is refused where %s', (words, changes) => {
    expect(readDeviceInfo(text(changes))).toEqual({ fault: expect.stringContaining(words) });
  });

  it.each(['x', '%%%', '{', '[]', 'null', '"x"', 'e30x{', `{"__proto__":{"sdkAppID":"x"}}`])(
    'is no other text: %s',
    (said) => {
      expect(readDeviceInfo(said)).toHaveProperty('fault');
    },
  );

  it.each([
    ['of the whole', `{"sdkAppID":"x",${text().slice(1)}`],
    ['written otherwise', `{"sdk\\u0041ppID":"x",${text().slice(1)}`],
    ['of its key', text().replace('"kty"', '"x" : "y","kty"')],
  ])('is refused with a name twice: %s', (_, said) => {
    expect(readDeviceInfo(said)).toEqual({ fault: expect.stringContaining('is no JSON object') });
  });

  it('may have the same name in two objects, and in texts', () => {
    const sdkEncData = '{"a":1,"a":2}';
    expect(readDeviceInfo(text({ sdkEncData }))).toHaveProperty('info');
    expect(readDeviceInfo(text({ splitSdkType: { kty: 'EC' } }))).toHaveProperty('info');
  });

  it('nested deeply is refused without harm', () => {
    const deep = `{"deviceRenderOptions":${'['.repeat(60_000)}`;
    expect(readDeviceInfo(deep)).toHaveProperty('fault');
  });
});
