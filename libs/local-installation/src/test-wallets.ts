import type { SignedKey } from '@sluice/certificates';
import { makeWholeFile } from '@sluice/service';
import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The wallets of a test installation: one file for who opens tokens, one for who makes them. */
export interface TestWalletFiles {
  /** VAULT_WALLETS_FILE. */
  readonly recipients: string;
  /** SIMULATOR_WALLETS_FILE. */
  readonly senders: string;
}

/** The marks of Apple's certificates: of whoever signs tokens, of its authority, of a merchant. */
const LEAF = '1.2.840.113635.100.6.29';
const INTERMEDIATE = '1.2.840.113635.100.6.2.14';
const MERCHANT = '1.2.840.113635.100.6.32';
const NULL = Buffer.from('0500', 'hex');
const UTF8_STRING = 0x0c;

const MERCHANT_ID = 'merchant.sluice.sandbox';
const GATEWAY_ID = 'gateway:sluice-sandbox';
const KEY_ID = 'sluice-sandbox';
const SRC_ISSUER = 'https://src.sluice.test';
const SRC_KEY_ID = 'sluice-test-src';
const DPA_ID = 'sluice-sandbox';
/** The one that installations of before do not have. */
const NEWEST_WALLET = 'clickToPay';
/** Installations for tests do not last so long. */
const VALID_DAYS = 3_650;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** What Samsung and Click to Pay ask for. */
const RSA_BITS = 2_048;

const newKeyPair = promisify(generateKeyPair);

/**
 * Makes both files where one is missing: they belong together. An installation of before gets the wallets
 * that it does not have yet, and keeps the others.
 */
export async function ensureTestWallets(files: TestWalletFiles, from: Date): Promise<void> {
  const { recipients, senders } = files;
  if (existsSync(recipients) && existsSync(senders)) return addMissing(files);
  await Promise.all([recipients, senders].map((file) => rm(file, { force: true })));
  const made = await makeWallets(from);
  await makeWholeFile(senders, `${JSON.stringify(made.senders, null, 2)}\n`);
  await makeWholeFile(recipients, `${JSON.stringify(made.recipients, null, 2)}\n`);
}

type Wallets = Readonly<Record<string, object>>;

/** The file of those who make tokens is written last: until it is, a wallet is missing there. */
async function addMissing({ recipients, senders }: TestWalletFiles): Promise<void> {
  const [opened, made] = await Promise.all(
    [recipients, senders].map(
      async (file) => JSON.parse(await readFile(file, 'utf8')) as Wallets | undefined,
    ),
  );
  if (Object.hasOwn(made ?? {}, NEWEST_WALLET)) return;
  const newest = await clickToPayWallet();
  const write = async (file: string, wallets: Wallets | undefined, added: object) => {
    const all = { ...wallets, [NEWEST_WALLET]: added };
    // Killed in between, it leaves one file too few, and both are made again.
    await rm(file);
    await makeWholeFile(file, `${JSON.stringify(all, null, 2)}\n`);
  };
  await write(recipients, opened, newest.recipients);
  await write(senders, made, newest.senders);
}

async function makeWallets(from: Date): Promise<{ recipients: object; senders: object }> {
  const [apple, google, samsung, clickToPay] = await Promise.all([
    appleWallet(from),
    googleWallet(from),
    samsungWallet(),
    clickToPayWallet(),
  ]);
  return {
    recipients: {
      applePay: apple.recipients,
      googlePay: google.recipients,
      samsungPay: samsung.recipients,
      clickToPay: clickToPay.recipients,
    },
    senders: {
      ...{ applePay: apple.senders, googlePay: google.senders, samsungPay: samsung.senders },
      clickToPay: clickToPay.senders,
    },
  };
}

async function appleWallet(from: Date): Promise<{ recipients: object; senders: object }> {
  // Some 250 files, which only the first start on a folder needs.
  const { createMarkedCertificate } = await import('@sluice/certificates');
  const signed = (
    commonName: string,
    isAuthority: boolean,
    issuer?: SignedKey,
    mark?: { readonly type: string; readonly value: Uint8Array },
  ): Promise<SignedKey> =>
    createMarkedCertificate({
      ...{ commonName, isAuthority, validDays: VALID_DAYS, from },
      ...(issuer !== undefined && { issuer }),
      ...(mark !== undefined && { marks: [mark] }),
    });
  const root = await signed('Sluice test wallets', true);
  const ofAuthority = { type: INTERMEDIATE, value: NULL };
  const intermediate = await signed('Sluice test wallets, signers', true, root, ofAuthority);
  const leaf = await signed('Sluice test wallets, signer', false, intermediate, {
    type: LEAF,
    value: NULL,
  });
  const text = Buffer.from(createHash('sha256').update(MERCHANT_ID).digest('hex'));
  const value = Buffer.concat([Buffer.from([UTF8_STRING, text.length]), text]);
  const merchant = await signed(MERCHANT_ID, false, root, { type: MERCHANT, value });
  return {
    recipients: {
      roots: [root.certificate],
      recipients: [{ certificate: merchant.certificate, privateKey: merchant.key }],
    },
    senders: {
      merchantId: MERCHANT_ID,
      merchantCertificate: merchant.certificate,
      leaf: leaf.certificate,
      leafKey: leaf.key,
      intermediate: intermediate.certificate,
    },
  };
}

async function googleWallet(from: Date): Promise<{ recipients: object; senders: object }> {
  const [root, signing, recipient] = await Promise.all(
    [0, 1, 2].map(() => newKeyPair('ec', { namedCurve: 'prime256v1' })),
  );
  if (root === undefined || signing === undefined || recipient === undefined) {
    throw new TypeError('three keys');
  }
  const keyExpiration = String(from.getTime() + VALID_DAYS * DAY_MS);
  const signedKey = JSON.stringify({ keyValue: spki(signing.publicKey), keyExpiration });
  const words = ['Google', 'ECv2', signedKey].map((word) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(word));
    return Buffer.concat([length, Buffer.from(word)]);
  });
  const rootKey = { keyValue: spki(root.publicKey), protocolVersion: 'ECv2', keyExpiration };
  return {
    recipients: {
      rootSigningKeys: { keys: [rootKey] },
      recipients: [{ recipientId: GATEWAY_ID, privateKeys: [privatePem(recipient.privateKey)] }],
    },
    senders: {
      recipientId: GATEWAY_ID,
      recipientKey: publicPem(recipient.publicKey),
      signedKey,
      keySignature: sign('sha256', Buffer.concat(words), root.privateKey).toString('base64'),
      signingKey: privatePem(signing.privateKey),
    },
  };
}

async function samsungWallet(): Promise<{ recipients: object; senders: object }> {
  const { privateKey, publicKey } = await newKeyPair('rsa', { modulusLength: RSA_BITS });
  return {
    recipients: { recipients: [{ keyId: KEY_ID, privateKey: privatePem(privateKey) }] },
    senders: { keyId: KEY_ID, recipientKey: publicPem(publicKey) },
  };
}

async function clickToPayWallet(): Promise<{ recipients: object; senders: object }> {
  const [system, dpa] = await Promise.all(
    [0, 1].map(() => newKeyPair('rsa', { modulusLength: RSA_BITS })),
  );
  if (system === undefined || dpa === undefined) throw new TypeError('two keys');
  const jwk = { ...system.publicKey.export({ format: 'jwk' }), kid: SRC_KEY_ID, alg: 'RS256' };
  const privateKey = privatePem(dpa.privateKey);
  return {
    recipients: {
      systems: [{ issuer: SRC_ISSUER, keys: { keys: [jwk] } }],
      recipients: [{ srcDpaId: DPA_ID, keyId: KEY_ID, privateKey }],
    },
    senders: {
      ...{ issuer: SRC_ISSUER, signingKeyId: SRC_KEY_ID, srcDpaId: DPA_ID, keyId: KEY_ID },
      signingKey: privatePem(system.privateKey),
      recipientKey: publicPem(dpa.publicKey),
    },
  };
}

function spki(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

function publicPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
