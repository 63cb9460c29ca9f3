import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { CheckoutPurpose, CheckoutStatusAnswer, CheckoutStatusQuery } from '@sluice/contracts';
import { isCheckoutId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { pendingCheckoutAnswer } from '../checkout-answer.js';
import { CheckoutReads } from '../checkout-reads.js';
import { QueryClient } from '../query-client.js';
import { NO_PAYMENT_SESSION } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/**
 * `GET /v1/checkouts/{id}/payment` and `…/registration`, each also without `/v1`: pending while
 * nothing is decided, as often as it is asked; nothing once the checkout is over (wire contract 3).
 */
@Controller()
export class ReadCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly queries: QueryClient,
    private readonly reads: CheckoutReads,
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

  async #answer(admitted: AdmittedRequest, { id, purpose }: Asked): Promise<Answer> {
    checkKind(admitted, 'read');
    if (!isCheckoutId(id)) throw new Refused(NO_PAYMENT_SESSION);
    this.reads.admit(id, admitted);
    const entityId = admitted.access.channel.id;
    const query: CheckoutStatusQuery = { checkoutId: id, entityId, purpose };
    const { status } = await this.queries.ask<CheckoutStatusAnswer>(
      ...(['checkouts', 'checkouts.status', query] as const),
    );
    if (status === undefined) throw new Refused(NO_PAYMENT_SESSION);
    return pendingCheckoutAnswer(id, admitted.stamp);
  }
}

interface Asked {
  /** As it was sent. */
  readonly id: string;
  /** By which of its resources it is read. */
  readonly purpose: CheckoutPurpose;
}
