import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { CheckoutPurpose } from '@sluice/contracts';
import { isCheckoutId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { CheckoutReads } from '../checkout-reads.js';
import { inCheckout } from '../checkout-sender.js';
import { CheckoutStatuses } from '../checkout-statuses.js';
import { NO_PAYMENT_SESSION } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/**
 * `GET /v1/checkouts/{id}/payment` and `…/registration`, each also without `/v1`: pending while
 * nothing is decided, as often as it is asked; a decline as often, because another attempt may follow; a
 * success once, and nothing once the checkout is over (wire contract 3, D6).
 */
@Controller()
export class ReadCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly reads: CheckoutReads,
    private readonly statuses: CheckoutStatuses,
  ) {}

  @Get(['v1/checkouts/:id/payment', 'checkouts/:id/payment'])
  payment(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'payment' });
  }

  @Get(['v1/checkouts/:id/registration', 'checkouts/:id/registration'])
  registration(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'registration' });
  }

  #serve(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, asked));
  }

  async #answer(asked: AdmittedRequest, { id, purpose }: Asked): Promise<Answer> {
    checkKind(asked, 'read');
    if (!isCheckoutId(id)) throw new Refused(NO_PAYMENT_SESSION);
    this.reads.admit(id, asked);
    return this.statuses.read(inCheckout(asked, id), { checkoutId: id, purpose });
  }
}

interface Asked {
  /** As it was sent. */
  readonly id: string;
  /** By which of its resources it is read. */
  readonly purpose: CheckoutPurpose;
}
