import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { CheckoutPurpose } from '@sluice/contracts';
import { type CheckoutId, isCheckoutId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard, type AdmittedRequest, type ShopperRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { CheckoutCompletion } from '../checkout-completion.js';
import { inCheckout } from '../checkout-sender.js';
import { CheckoutStatuses } from '../checkout-statuses.js';
import { NO_PAYMENT_SESSION } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { StatusOfCheckout } from '../route-access.js';

/**
 * `GET /v1/checkouts/{id}/payment` and `…/registration`, each also without `/v1`: pending while
 * nothing is decided, as often as it is asked; a decline as often, because another attempt may follow; a
 * success once, and nothing once the checkout is over (wire contract 3, D6). Where a switch allows it, the
 * checkout's id is all that it needs.
 */
@Controller()
export class ReadCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly statuses: CheckoutStatuses,
    private readonly completion: CheckoutCompletion,
    private readonly guard: AccessGuard,
  ) {}

  @StatusOfCheckout()
  @Get(['v1/checkouts/:id/payment', 'checkouts/:id/payment'])
  payment(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'payment' });
  }

  @StatusOfCheckout()
  @Get(['v1/checkouts/:id/registration', 'checkouts/:id/registration'])
  registration(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'registration' });
  }

  #serve(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<void> {
    if (this.guard.isStatusWithoutAccess(request)) {
      return this.pipeline.serveShopper(request, reply, (shopper) =>
        this.guard.notingGuesses(request, () => this.#answerWithoutAccess(shopper, asked)),
      );
    }
    return this.pipeline.serve(request, reply, (admitted) => {
      checkKind(admitted, 'read');
      if (!isCheckoutId(asked.id)) throw new Refused(NO_PAYMENT_SESSION);
      return this.#answer(admitted, { ...asked, id: asked.id });
    });
  }

  /** In the name of whoever made the checkout, if its channel lets others read it. */
  async #answerWithoutAccess(shopper: ShopperRequest, { id: sentId, purpose }: Asked) {
    const { id, checkout } = await this.completion.find(sentId);
    const admitted = this.guard.inNameOf(checkout, shopper, shopper.form);
    if (!admitted.access.compatibility.has('statusWithoutAccess')) {
      throw new Refused({ code: codes.invalidAuthentication });
    }
    checkKind(admitted, 'read');
    const { entityId } = checkout;
    if ((admitted.form.get('entityId') ?? entityId) !== entityId) {
      throw new Refused(NO_PAYMENT_SESSION);
    }
    return this.#answer(admitted, { id, purpose });
  }

  #answer(asked: AdmittedRequest, { id, purpose }: Known): Promise<Answer> {
    return this.statuses.read(inCheckout(asked, id), { checkoutId: id, purpose });
  }
}

interface Asked {
  /** As it was sent. */
  readonly id: string;
  /** By which of its resources it is read. */
  readonly purpose: CheckoutPurpose;
}

interface Known extends Pick<Asked, 'purpose'> {
  readonly id: CheckoutId;
}
