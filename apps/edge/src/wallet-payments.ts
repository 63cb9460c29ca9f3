import { heldInstrument, type Instrument } from '@sluice/contracts';
import { isCheckoutId } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import {
  amountOf,
  cardBrandSent,
  detailsToHold,
  firstRejection,
  type NewPaymentKind,
  type Rejection,
  shownInstrumentOf,
  tokenOf,
  tokenRejection,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { clickToPayTransaction } from './click-to-pay-transaction.js';
import { refuseForeignIndicator } from './external-proofs.js';
import type { HeldInstruments } from './held-instruments.js';

/** What a payment by the token of a wallet is made with. */
export interface WalletInstrument {
  /** The card that was in the token, with the vault's reference; the wallet if it is refused. */
  readonly instrument: Instrument;
  readonly rejection?: Rejection;
  /** Of the token, by the vault. */
  readonly fingerprint?: string;
  /** Of the account that was in it. */
  readonly accountFingerprint?: string;
  /** Personal parameters out of the token. */
  readonly personal: Readonly<Record<string, string>>;
  /** Others out of it, as whoever decrypts tokens sends them. */
  readonly parameters: Readonly<Record<string, string>>;
}

const NOTHING_KNOWN = { personal: {}, parameters: {} } as const;

/** Has the tokens of wallets opened by the vault, which alone has the keys (page 0057). */
export class WalletPayments {
  constructor(private readonly instruments: HeldInstruments) {}

  /**
   * What the payment is made with; of one that is refused anyway the token is not used up.
   * @param usedBy the same for a repeated request, and for no other one
   * @throws Refused where what an external server found out is not of the card in it
   */
  async instrumentOf(
    { form, access, mode, receivedAtMs, stamp }: AdmittedRequest,
    kind: NewPaymentKind,
    usedBy: string,
  ): Promise<WalletInstrument> {
    const shown = heldInstrument(shownInstrumentOf(form, kind), undefined);
    const token = tokenOf(form);
    const [toHold, amount] = [detailsToHold(form, kind), amountOf(form)];
    const isRefused = firstRejection(form, { kind, mode, nowMs: receivedAtMs }) !== undefined;
    if (isRefused || token === undefined || toHold === undefined || amount === undefined) {
      return { instrument: shown, ...NOTHING_KNOWN };
    }
    const brand = cardBrandSent(form);
    const { ndc } = stamp;
    // Of a merchant's own page nobody here knows what it has named.
    const isOfPage = token.wallet === 'clickToPay' && isCheckoutId(ndc);
    const opened = await this.instruments.openToken({
      ...{ wallet: token.wallet, amount: toMessage(amount), usedBy },
      toHold: { ...toHold, merchantId: access.merchant.id },
      entityIds: [access.channel.id, access.merchant.id],
      ...(brand !== undefined && { brand }),
      ...(isOfPage && { transaction: clickToPayTransaction(ndc) }),
    });
    const { fingerprint } = opened;
    if (opened.kind === 'refused') {
      const rejection = tokenRejection(opened.reason);
      return { instrument: shown, rejection, fingerprint, ...NOTHING_KNOWN };
    }
    const { card, reference, accountFingerprint, holder, eci } = opened;
    const instrument = heldInstrument(card, reference);
    refuseForeignIndicator(instrument, form);
    return {
      instrument,
      fingerprint,
      ...(accountFingerprint !== undefined && { accountFingerprint }),
      personal: holder === undefined ? {} : { 'card.holder': holder },
      parameters: {
        ...(card.numberType !== undefined && { 'card.numberType': card.numberType }),
        ...(eci !== undefined && { 'threeDSecure.eci': eci }),
      },
    };
  }
}
