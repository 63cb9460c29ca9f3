import type {
  DetailsToHold,
  HeldDetails,
  OpenedToken,
  SecretDetails,
  TokenRefusal,
  TokenToOpen,
  TokenVault,
} from '@sluice/contracts';
import { fromMessage } from '@sluice/money';
import { cardInToken } from '@sluice/parameters';
import { Detail } from '@sluice/secrets';
import type { Clock } from '@sluice/service';
import type { WalletCard } from '@sluice/wallets';
import { createHmac, type KeyObject } from 'node:crypto';
import { detailFingerprint } from './detail-cipher.js';
import type { UsedTokens } from './used-tokens.js';
import type { VaultMetrics } from './vault-metrics.js';
import type { WalletRecipients } from './wallet-recipients.js';

/** What tokens are opened with. */
export interface TokenOpenerParts {
  readonly recipients: WalletRecipients;
  readonly used: UsedTokens;
  readonly vault: { hold(details: DetailsToHold): Promise<HeldDetails> };
  readonly fingerprintKey: KeyObject;
  readonly clock: Clock;
  readonly metrics: VaultMetrics;
}

/**
 * Opens the tokens of wallets: what was in them is held as the card that it is, and of the token itself
 * nothing is kept but a keyed hash of its id, until nobody can use it any more (page 0057).
 */
export class TokenOpener implements TokenVault {
  constructor(private readonly parts: TokenOpenerParts) {}

  async openToken(toOpen: TokenToOpen): Promise<OpenedToken> {
    const fingerprint = detailFingerprint(toOpen.toHold, this.parts.fingerprintKey);
    const opened = await this.#open(toOpen);
    const outcome = typeof opened === 'string' ? opened : 'held';
    this.parts.metrics.tokens(toOpen.wallet, outcome);
    return typeof opened === 'string'
      ? { kind: 'refused', fingerprint, reason: opened }
      : { kind: 'held', fingerprint, ...opened };
  }

  /** Everything that is wrong with it first, because only a payment uses it up. */
  async #open(
    toOpen: TokenToOpen,
  ): Promise<TokenRefusal | Omit<Extract<OpenedToken, { kind: 'held' }>, 'kind' | 'fingerprint'>> {
    const { recipients, used, vault, fingerprintKey, clock } = this.parts;
    const { wallet, toHold, entityIds, usedBy } = toOpen;
    const name = `${wallet}.paymentToken`;
    const { [name]: token, ...others } = toHold.details;
    const now = new Date(clock.now());
    const opening = recipients.open(wallet, token?.reveal() ?? '', { entityIds, now });
    if (opening === undefined) return 'noKeys';
    if (opening.kind === 'refused') return opening.reason;
    const { card } = opening;
    const other = otherTransaction(toOpen, card) ?? otherAmount(toOpen, card);
    if (other !== undefined) return other;
    const checked = cardInToken(
      { ...card, wallet, number: card.number.reveal() },
      toOpen.brand,
      now.getTime(),
    );
    if (checked.kind === 'refused') return checked.reason;
    const id = createHmac('sha256', fingerprintKey)
      .update(JSON.stringify(['token', wallet, card.tokenId]))
      .digest();
    if (!(await used.use({ token: id, usedBy, goodUntil: card.goodUntil }))) return 'usedBefore';
    const details = { ...others, ...detailsOf(card) };
    const held = await vault.hold({ ...toHold, kind: 'card', details });
    const { reference, accountFingerprint } = held;
    return {
      reference,
      ...(accountFingerprint !== undefined && { accountFingerprint }),
      card: checked.card,
      ...(card.holder !== undefined && { holder: card.holder }),
      ...(card.eci !== undefined && { eci: card.eci }),
    };
  }
}

/** Where a page has named one, the token must: what somebody has of another page pays nothing here. */
function otherTransaction(
  { transaction }: TokenToOpen,
  card: WalletCard,
): TokenRefusal | undefined {
  const isOther = transaction !== undefined && card.transaction !== transaction;
  return isOther ? 'otherCheckout' : undefined;
}

/** What the shopper agreed to, where the token says it. */
function otherAmount(
  { amount: message }: TokenToOpen,
  { amount: agreed }: WalletCard,
): TokenRefusal | undefined {
  if (agreed === undefined) return undefined;
  const amount = fromMessage(message);
  if (agreed.currency !== amount.currency) return 'otherCurrency';
  return agreed.minor === amount.minor ? undefined : 'otherAmount';
}

const CRYPTOGRAM = 'threeDSecure.verificationId';

/** The names of a card that was sent decrypted, so that no acquirer has to know of tokens. */
function detailsOf({ number, expiryMonth, expiryYear, cryptogram }: WalletCard): SecretDetails {
  return {
    'card.number': number,
    'card.expiryMonth': new Detail(expiryMonth),
    'card.expiryYear': new Detail(expiryYear),
    ...(cryptogram !== undefined && { [CRYPTOGRAM]: cryptogram }),
  };
}
