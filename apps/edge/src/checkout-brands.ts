import { resultOf, stampFields } from '@sluice/answers';
import type { TakenBrandsAnswer, TakenBrandsQuery } from '@sluice/contracts';
import { toMessage } from '@sluice/money';
import { amountOf, formOfParameters, INSTALLMENTS, isInInstallments } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { AccessGuard, ShopperRequest } from './access-guard.js';
import type { Answer } from './answer.js';
import { checkKind } from './checked-form.js';
import type { CheckoutCompletion } from './checkout-completion.js';
import { inCheckout } from './checkout-sender.js';
import type { QueryClient } from './query-client.js';

/** What the brands of a checkout are answered with. */
export interface CheckoutBrandsParts {
  readonly guard: Pick<AccessGuard, 'inNameOf'>;
  readonly queries: QueryClient;
  readonly completion: Pick<CheckoutCompletion, 'find'>;
}

/** Between which brands the shopper of a checkout may choose, by what its channel can take (page 0065). */
export class CheckoutBrands {
  constructor(private readonly parts: CheckoutBrandsParts) {}

  /** Says no brands where nobody knows, or where nothing is paid: then none is left out. @throws Refused */
  async read(asked: ShopperRequest, sentId: string): Promise<Answer> {
    const { id, checkout } = await this.parts.completion.find(sentId);
    const ofShopper = this.parts.guard.inNameOf(checkout, inCheckout(asked, id), asked.form);
    checkKind(ofShopper, 'read');
    const amount = amountOf(formOfParameters(checkout.parameters));
    const isPaid = checkout.purpose === 'payment' && amount !== undefined;
    const inInstallments = isInInstallments(checkout.parameters[INSTALLMENTS]);
    const taken = isPaid
      ? await this.#taken({ ...checkout, amount: toMessage(amount), inInstallments })
      : {};
    const code = codes.requestSuccessful;
    const fields = { ...taken, result: resultOf(code), ...stampFields(ofShopper.stamp) };
    return {
      ...{ status: httpStatusOf(code), resultCode: code, ndc: id, body: JSON.stringify(fields) },
    };
  }

  #taken({ inInstallments, ...asked }: TakenBrandsQuery): Promise<TakenBrandsAnswer> {
    const { entityId, mode, amount } = asked;
    const query: TakenBrandsQuery = {
      ...{ entityId, mode, amount },
      ...(inInstallments === true && { inInstallments }),
    };
    return this.parts.queries.ask<TakenBrandsAnswer>('payments', 'payments.takenBrands', query);
  }
}
