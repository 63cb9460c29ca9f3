import { SettingsError } from '@sluice/service';
import { readFile } from 'node:fs/promises';

/** What the simulator signs and encrypts with as a wallet; PEM where nothing else is said. */
export interface WalletKeys {
  readonly applePay: {
    readonly merchantId: string;
    readonly merchantCertificate: string;
    readonly leaf: string;
    readonly leafKey: string;
    readonly intermediate: string;
  };
  readonly googlePay: {
    readonly recipientId: string;
    readonly recipientKey: string;
    /** JSON of the key that signs messages, and the root's signature of it in Base64. */
    readonly signedKey: string;
    readonly keySignature: string;
    readonly signingKey: string;
  };
  readonly samsungPay: { readonly keyId: string; readonly recipientKey: string };
  readonly clickToPay: {
    readonly issuer: string;
    /** By which the SRC system is known, and what it signs with. */
    readonly signingKeyId: string;
    readonly signingKey: string;
    readonly srcDpaId: string;
    readonly keyId: string;
    readonly recipientKey: string;
  };
}

/** Reads the file of SIMULATOR_WALLETS_FILE, which the installation has made. */
export async function readWalletKeys(file: string): Promise<WalletKeys> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as WalletKeys;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`SIMULATOR_WALLETS_FILE ${file} cannot be read (${code ?? 'error'}).`);
  }
}
