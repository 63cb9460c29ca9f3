import type { BankAccountToKeep, BankAccountVault, RevealedInstrument } from '@sluice/contracts';
import type { DetailVault } from './detail-vault.js';
import type { KeptDetails } from './kept-details.js';
import type { VaultMetrics } from './vault-metrics.js';

/** The parts it is made of. */
export interface OrderAccountsParts {
  readonly vault: Pick<DetailVault, 'openHeld'>;
  readonly kept: Pick<KeptDetails, 'keep' | 'find' | 'revealOf' | 'forget'>;
  readonly metrics: VaultMetrics;
}

/**
 * In front of the orders' ids among kept details. No registration's id begins so, so that neither what
 * reveals, changes or forgets details of registrations comes to those of orders, nor the reverse.
 */
const PREFIX = 'order-';
/** Accounts of orders are compared with none: their hash is nobody's. */
const NOBODY = '';

/**
 * Bank accounts that are kept for orders in files. Whoever asks for them may be taken over: it comes to
 * these rows alone, and cannot put a card into one. What it may not have is answered like what is not
 * there, so that it learns nothing of it either.
 */
export class OrderAccounts implements BankAccountVault {
  constructor(private readonly parts: OrderAccountsParts) {}

  async keepBankAccount({ heldReference, orderId }: BankAccountToKeep): Promise<boolean> {
    const { vault, kept, metrics } = this.parts;
    const registrationId = `${PREFIX}${orderId}`;
    const held = await vault.openHeld(heldReference);
    // It may have been kept before the held details were forgotten, and the answer was lost.
    if (!isBankAccount(held)) return (await kept.find(registrationId)) !== undefined;
    await kept.keep(held, { heldReference, registrationId, merchantId: NOBODY });
    metrics.kept.add();
    return true;
  }

  async revealBankAccount(orderId: string): Promise<RevealedInstrument | undefined> {
    const { kept, metrics } = this.parts;
    const revealed = await kept.revealOf(`${PREFIX}${orderId}`);
    // Whatever the row came from.
    const account = isBankAccount(revealed) ? revealed : undefined;
    if (account === undefined) metrics.revealedNothing.add();
    else metrics.revealedKept.add();
    return account;
  }

  async forgetBankAccount(orderId: string): Promise<void> {
    await this.parts.kept.forget(`${PREFIX}${orderId}`);
    this.parts.metrics.keptForgotten.add();
  }
}

function isBankAccount(
  instrument: RevealedInstrument | undefined,
): instrument is RevealedInstrument & { readonly kind: 'bankAccount' } {
  return instrument?.kind === 'bankAccount';
}
