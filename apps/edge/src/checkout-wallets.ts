import type {
  ApplePaySessionAnswer,
  ApplePaySessionQuery,
  OfferedWalletsAnswer,
  OfferedWalletsQuery,
} from '@sluice/contracts';
import { formatAmount } from '@sluice/money';
import { amountOf, type Form, formOfParameters, shownAmount } from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import type { AccessGuard, AdmittedRequest, ShopperRequest } from './access-guard.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CheckoutCompletion } from './checkout-completion.js';
import { clickToPayTransaction } from './click-to-pay-transaction.js';
import { type CheckoutToChange, inCheckout } from './checkout-sender.js';
import { applePaySessionAnswer, walletsAnswer } from './checkout-wallets-answer.js';
import type { QueryClient } from './query-client.js';
import { invalidParameters, UNAVAILABLE } from './refusals.js';
import { type MonotonicClock, Throttle } from './throttle.js';
import type { ThrottledIds } from './throttled-ids.js';

/** What wallets on pages are answered with. */
export interface CheckoutWalletsParts {
  readonly guard: Pick<AccessGuard, 'inNameOf'>;
  readonly queries: QueryClient;
  readonly completion: Pick<CheckoutCompletion, 'find'>;
  readonly clock: MonotonicClock;
  readonly throttledIds: ThrottledIds;
}

/** Where a page asks for a session. */
export interface AskingPage {
  /** Of the checkout, as it was sent. */
  readonly id: string;
  /** The page's, as its browser says it. */
  readonly origin: string | undefined;
}

/** A shopper opens a sheet now and then; each has Apple called. */
const SESSIONS_PER_MINUTE = 10;
const SECONDS_PER_MINUTE = 60;
const URL_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 128;

/** What the request for a session has, and nothing else. */
const SESSION_NAMES: readonly string[] = ['validationUrl', 'displayName', 'amount', 'currency'];
const APPLE_PAY_NOT_SET_UP: Refusal = {
  code: codes.notConfigured,
  description: `${describeResult(codes.notConfigured)} - Apple Pay is not set up for the pages of this channel`,
};
const PAGE_NOT_CONFIRMED: Refusal = {
  code: codes.notConfigured,
  description: `${describeResult(codes.notConfigured)} - Apple does not confirm this page as the merchant's: is its domain registered?`,
};
const FOREIGN_ADDRESS = invalidParameters({
  name: 'validationUrl',
  message: 'is none of the addresses at which Apple confirms pages',
});

/** The wallets on the page of a checkout (page 0067). */
export class CheckoutWallets {
  readonly #sessions: Throttle;

  constructor(private readonly parts: CheckoutWalletsParts) {
    const limits = {
      perSecond: SESSIONS_PER_MINUTE / SECONDS_PER_MINUTE,
      burst: SESSIONS_PER_MINUTE,
    };
    this.#sessions = new Throttle(limits, parts.clock);
  }

  /** Which there are, and the amount that they are for. @throws Refused */
  async read(asked: ShopperRequest, sentId: string): Promise<Answer> {
    const { ofShopper, found } = await this.#find(asked, sentId);
    checkKind(ofShopper, 'read');
    const { id, checkout } = found;
    const amount = amountOf(formOfParameters(checkout.parameters));
    const { stamp } = ofShopper;
    // What only stores cannot be stored by a token, which is spent by a payment.
    if (checkout.purpose !== 'payment' || amount === undefined) return walletsAnswer({ id }, stamp);
    const { clickToPay, ...offered } = await this.parts.queries.ask<OfferedWalletsAnswer>(
      ...(['checkouts', 'checkouts.wallets', ofChannel(ofShopper)] as const),
    );
    const { currency } = amount;
    const ofCheckout = clickToPay && {
      clickToPay: { ...clickToPay, srciTransactionId: clickToPayTransaction(id) },
    };
    return walletsAnswer(
      { id, amount: formatAmount(amount), currency, ...offered, ...ofCheckout },
      stamp,
    );
  }

  /** Apple's word that a page is the merchant's, for one sheet with this amount. @throws Refused */
  async applePaySession(asked: ShopperRequest, { id, origin }: AskingPage): Promise<Answer> {
    const { ofShopper, found } = await this.#find(asked, id);
    const { parameters } = found.checkout;
    const { form, faults } = shownAmount(parameters, ofShopper.form);
    refuseViolations([...faults, ...sessionFaults(ofShopper.form)]);
    const domain = domainOf(origin);
    if (domain === undefined) throw new Refused(NO_PAGE);
    const { id: entityId } = ofShopper.access.channel;
    if (!this.#sessions.admits(found.id, entityId)) {
      const throttled = this.parts.throttledIds.newId(entityId, ofShopper.receivedAtMs);
      throw new Refused({ code: codes.tooManyRequests, id: throttled }, entityId);
    }
    const displayName = form.get('displayName');
    const query: ApplePaySessionQuery = {
      ...ofChannel(ofShopper),
      ...{ validationUrl: form.get('validationUrl') ?? '', domain },
      ...(displayName !== undefined && { displayName }),
    };
    const answer = await this.parts.queries.ask<ApplePaySessionAnswer>(
      ...(['checkouts', 'checkouts.applePaySession', query] as const),
    );
    return applePaySessionAnswer(sessionIn(answer), ofShopper.stamp);
  }

  async #find(
    asked: ShopperRequest,
    sentId: string,
  ): Promise<{ readonly ofShopper: AdmittedRequest; readonly found: CheckoutToChange }> {
    const found = await this.parts.completion.find(sentId);
    const { id, checkout } = found;
    const ofShopper = this.parts.guard.inNameOf(checkout, inCheckout(asked, id), asked.form);
    return { ofShopper, found };
  }
}

function ofChannel({ access, mode, publicUrl }: AdmittedRequest): OfferedWalletsQuery {
  return { entityIds: [access.channel.id, access.merchant.id], mode, publicUrl };
}

function sessionFaults(form: Form) {
  const isForeign = [...form.entries()].some(([name]) => !SESSION_NAMES.includes(name));
  const { length } = form.get('validationUrl') ?? '';
  const isNameLong = (form.get('displayName') ?? '').length > NAME_LENGTH_MAX;
  return [
    ...(isForeign ? [{ name: 'body', message: `has only ${SESSION_NAMES.join(', ')}` }] : []),
    ...(length === 0 ? [{ name: 'validationUrl', message: 'may not be empty' }] : []),
    ...(length > URL_LENGTH_MAX ? [{ name: 'validationUrl', message: 'is too long' }] : []),
    ...(isNameLong ? [{ name: 'displayName', message: 'is too long' }] : []),
  ];
}

/** Where the page is at home: browsers say it of every form that a script sends to another origin. */
function domainOf(origin: string | undefined): string | undefined {
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin))
    return undefined;
  return new URL(origin).hostname;
}

const NO_PAGE = invalidParameters({
  name: 'Origin',
  message: 'names no page: a browser asks for this, from a page of the merchant',
});

/** @throws Refused where there is none */
function sessionIn(answer: ApplePaySessionAnswer): string {
  switch (answer.kind) {
    case 'session':
      return answer.session;
    case 'notSetUp':
      throw new Refused(APPLE_PAY_NOT_SET_UP);
    case 'foreignAddress':
      throw new Refused(FOREIGN_ADDRESS);
    case 'notConfirmed':
      throw new Refused(PAGE_NOT_CONFIRMED);
    case 'unavailable':
      throw new Refused(UNAVAILABLE);
  }
}
