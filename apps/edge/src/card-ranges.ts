import { type BinTable, resultOf, stampFields } from '@sluice/answers';
import type { Form } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { AccessGuard, ShopperRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import type { CheckoutCompletion } from './checkout-completion.js';
import { inCheckout } from './checkout-sender.js';
import { refuseViolations } from './checked-form.js';
import { type MonotonicClock, Throttle } from './throttle.js';
import type { ThrottledIds } from './throttled-ids.js';

/** What the ranges of cards are answered with. */
export interface CardRangesParts {
  readonly guard: Pick<AccessGuard, 'inNameOf'>;
  readonly completion: Pick<CheckoutCompletion, 'find'>;
  readonly bins: Pick<BinTable, 'rangeOf'>;
  readonly clock: MonotonicClock;
  readonly throttledIds: ThrottledIds;
}

/** A request for the range of a card, where it was sent. */
export interface SentDigits {
  /** Of the checkout, as it was sent. */
  readonly id: string;
  /** Whether the address has a query, which ends in the logs of whoever is on the way. */
  readonly hasQuery: boolean;
}

/** Two for each card that is typed; nobody reads the installation's table by one checkout. */
const RANGES_PER_MINUTE = 20;
const SECONDS_PER_MINUTE = 60;

const DIGITS = 'card.range';
/** From `BIN_DIGITS` to `RANGE_DIGITS` of them. */
const LEADING_DIGITS = /^[0-9]{6,8}$/;

/**
 * What the installation's table knows of a card whose first digits are typed, for the frame that they are
 * typed in (page 0065). The digits are in the body alone, and neither logged nor kept.
 */
export class CardRanges {
  readonly #asked: Throttle;

  constructor(private readonly parts: CardRangesParts) {
    const limits = { perSecond: RANGES_PER_MINUTE / SECONDS_PER_MINUTE, burst: RANGES_PER_MINUTE };
    this.#asked = new Throttle(limits, parts.clock);
  }

  /** @throws Refused */
  async read(asked: ShopperRequest, { id: sentId, hasQuery }: SentDigits): Promise<Answer> {
    const { id, checkout } = await this.parts.completion.find(sentId);
    const ofShopper = this.parts.guard.inNameOf(checkout, inCheckout(asked, id), asked.form);
    refuseViolations(faultsOf(ofShopper.form, hasQuery));
    const { id: entityId } = ofShopper.access.channel;
    if (!this.#asked.admits(id, entityId)) {
      const throttled = this.parts.throttledIds.newId(entityId, ofShopper.receivedAtMs);
      throw new Refused({ code: codes.tooManyRequests, id: throttled }, entityId);
    }
    const range = this.parts.bins.rangeOf(ofShopper.form.get(DIGITS) ?? '');
    const code = codes.requestSuccessful;
    const fields = { ...range, result: resultOf(code), ...stampFields(ofShopper.stamp) };
    return {
      ...{ status: httpStatusOf(code), resultCode: code, ndc: id, body: JSON.stringify(fields) },
    };
  }
}

/** No value is repeated. */
function faultsOf(form: Form, hasQuery: boolean) {
  const isForeign = [...form.entries()].some(([name]) => name !== DIGITS);
  const isRight = LEADING_DIGITS.test(form.get(DIGITS) ?? '');
  return [
    ...(hasQuery ? [{ name: DIGITS, message: 'must be sent in the body, not the URL' }] : []),
    ...(isForeign ? [{ name: 'body', message: `has only ${DIGITS}` }] : []),
    ...(isRight ? [] : [{ name: DIGITS, message: 'must be the first six to eight digits' }]),
  ];
}
