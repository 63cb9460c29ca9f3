import { type AuthenticationVault, RegistrationForgotten } from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import type { Detail } from '@sluice/secrets';
import { openDetails, sealDetails } from './detail-cipher.js';
import type { DataKeys } from './data-keys.js';
import type { DetailVault } from './detail-vault.js';
import type { HeldDetailRows } from './held-detail-rows.js';

const REFERENCE_RANDOM_BYTES = 16;
/** Unlike a reference of what is held for a payment: who may have a proof revealed has no card by it. */
const REFERENCE = /^[a-z0-9-]{1,24}\.p[0-9a-f]{32}$/;
const PROOF = 'threeDSecure.verificationId';

/** The parts it is made of. */
export interface AuthenticationDetailsParts {
  /** As of `DetailVaultParts`. */
  readonly instance: string;
  readonly details: Pick<DetailVault, 'revealNumber'>;
  readonly rows: HeldDetailRows;
  readonly dataKeys: DataKeys;
}

/**
 * What authentications of shoppers need (Interface 2.17): the card's number for the directory server, and a
 * place for the cryptogram that comes back, until the acquirer is asked.
 */
export class AuthenticationDetails implements AuthenticationVault {
  constructor(private readonly parts: AuthenticationDetailsParts) {}

  async revealNumber(reference: string): Promise<Detail | undefined> {
    try {
      return await this.parts.details.revealNumber(reference);
    } catch (error) {
      if (error instanceof RegistrationForgotten) return undefined;
      throw error;
    }
  }

  /** Written at once: whoever asks for it next is another process, and perhaps another instance. */
  async holdProof(cryptogram: Detail): Promise<string> {
    const { instance, rows, dataKeys } = this.parts;
    const reference = `${instance}.p${random(REFERENCE_RANDOM_BYTES).toString('hex')}`;
    const details = { kind: 'card', details: { [PROOF]: cryptogram } } as const;
    await rows.insertNow(
      reference,
      sealDetails(details, reference, await dataKeys.forEncryption()),
    );
    return reference;
  }

  async revealProof(reference: string): Promise<Detail | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    const { rows, dataKeys } = this.parts;
    const sealed = await rows.select(reference);
    const key = sealed && (await dataKeys.forDecryption(sealed.dataKeyId));
    if (sealed === undefined || key === undefined) return undefined;
    return openDetails(sealed, reference, key).details[PROOF];
  }
}
