import { randomUUID, type webcrypto } from 'node:crypto';
import {
  compactDecrypt,
  CompactEncrypt,
  compactVerify,
  EmbeddedJWK,
  exportJWK,
  importJWK,
} from 'jose';

type Fields = Readonly<Record<string, unknown>>;

/** What a merchant's server has of the gateway's answer, and gives to its app. */
export interface ToldToApp {
  readonly version: string;
  readonly threeDSServerTransID: string;
  readonly acsTransactionId: string;
  readonly acsSignedContent: string;
}

const KEYS = { name: 'ECDH', namedCurve: 'P-256' } as const;
const COUNTER_DIGITS = 3;

/** What an SDK is to be, where a test wants another one. */
export interface AppSdkWish {
  readonly messageVersion?: string;
  /** 01: screens of the app; 02: pages; 03: both. */
  readonly sdkInterface?: '01' | '02' | '03';
  readonly encryption?: 'A128CBC-HS256' | 'A128GCM';
}

/**
 * The 3-D Secure software in the app of a merchant, for one payment: written from EMV 3-D Secure, and not from
 * the simulator, so that a mistake there is seen.
 */
export class AppSdk {
  readonly transactionId = randomUUID();
  readonly #referenceNumber = '3DS_LOA_SDK_TEST_020200_00017';
  readonly #appId = randomUUID();
  #messages = 0;

  private constructor(
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly wish: AppSdkWish,
  ) {}

  /** One with a key of its own. */
  static async create(wish: AppSdkWish = {}): Promise<AppSdk> {
    return new AppSdk(await crypto.subtle.generateKey(KEYS, true, ['deriveBits']), wish);
  }

  /** What the merchant sends as `threeDSecure.deviceInfo`. */
  async deviceInfo(): Promise<string> {
    const { kty, crv, x, y } = await exportJWK(this.keys.publicKey);
    const { messageVersion = '2.2.0', sdkInterface = '03' } = this.wish;
    return JSON.stringify({
      ...{ messageVersion, sdkTransID: this.transactionId, sdkAppID: this.#appId },
      ...{ sdkReferenceNumber: this.#referenceNumber, sdkEncData: 'the.device.encrypted.for.ds' },
      ...{ sdkEphemPubKey: { kty, crv, x, y }, sdkMaxTimeout: '05' },
      ...{ sdkInterface, sdkUiType: ['01', '02', '03', '04', '05'] },
    });
  }

  /** Sends CReq to the issuer, encrypted, and reads what it answers (CRes). @throws Error for an Erro */
  async ask(told: ToldToApp, fields: Fields = {}): Promise<Fields> {
    const { acsURL, acsEphemPubKey } = await this.#contentOf(told);
    const { encryption = 'A128CBC-HS256' } = this.wish;
    const [toAcs, fromAcs] = await this.#secrets(acsEphemPubKey, encryption);
    const message = {
      ...{ messageType: 'CReq', messageVersion: told.version, sdkTransID: this.transactionId },
      ...{ threeDSServerTransID: told.threeDSServerTransID, acsTransID: told.acsTransactionId },
      sdkCounterStoA: String(this.#messages).padStart(COUNTER_DIGITS, '0'),
      ...fields,
    };
    const body = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(message)))
      .setProtectedHeader({ alg: 'dir', enc: encryption, kid: told.acsTransactionId })
      .encrypt(toAcs);
    const headers = { 'content-type': 'application/jose; charset=UTF-8' };
    const response = await fetch(acsURL, { method: 'POST', headers, body });
    const text = await response.text();
    if (text.startsWith('{')) throw new Error(text);
    this.#messages += 1;
    const { plaintext } = await compactDecrypt(text, fromAcs);
    return JSON.parse(new TextDecoder().decode(plaintext)) as Fields;
  }

  /** Where the issuer is and by which key, if the content is whole and of this transaction. */
  async #contentOf({ acsSignedContent }: ToldToApp) {
    const { payload } = await compactVerify(acsSignedContent, EmbeddedJWK);
    const content = JSON.parse(new TextDecoder().decode(payload)) as Readonly<{
      acsURL: string;
      acsEphemPubKey: Fields;
      sdkEphemPubKey: Fields;
    }>;
    const own = await exportJWK(this.keys.publicKey);
    if (content.sdkEphemPubKey['x'] !== own.x) throw new Error('It is of another transaction.');
    return content;
  }

  /** By ECDH and the Concat KDF of NIST SP 800-56A: one key for both ways, or a half for each. */
  async #secrets(acsKey: Fields, encryption: string): Promise<readonly [Uint8Array, Uint8Array]> {
    const theirs = await importJWK({ ...acsKey, alg: 'ECDH-ES' });
    const algorithm = { name: 'ECDH', public: theirs as webcrypto.CryptoKey };
    const shared = await crypto.subtle.deriveBits(algorithm, this.keys.privateKey, 256);
    const party = new TextEncoder().encode(this.#referenceNumber);
    const info = Buffer.concat([
      ...[Buffer.from([0, 0, 0, 1]), Buffer.from(shared), Buffer.alloc(8)],
      ...[Buffer.from([0, 0, 0, party.length]), party, Buffer.from([0, 0, 1, 0])],
    ]);
    const key = new Uint8Array(await crypto.subtle.digest('SHA-256', info));
    if (encryption === 'A128CBC-HS256') return [key, key];
    return [key.slice(0, 16), key.slice(16)];
  }
}
