import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import type { CheckoutDeletionAnswer, CheckoutDeletionQuery } from '@sluice/contracts';
import { isCheckoutId } from '@sluice/identifiers';
import { checkoutDeletionFaults } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../answer.js';
import { checkKind, refuseViolations } from '../checked-form.js';
import { deletionAnswer } from '../checkout-answer.js';
import { CheckoutSavings } from '../checkout-savings.js';
import { QueryClient } from '../query-client.js';
import { NO_PAYMENT_SESSION } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/**
 * `DELETE /v1/checkouts/{id}`, also without `/v1`: no shopper completes it any more. Not while one may
 * have paid (wire contract 3).
 */
@Controller()
export class DeleteCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly queries: QueryClient,
    private readonly savings: CheckoutSavings,
  ) {}

  @Delete(['v1/checkouts/:id', 'checkouts/:id'])
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') checkoutId: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, async (admitted) => {
      checkKind(admitted, 'read');
      refuseViolations(checkoutDeletionFaults(admitted.form));
      if (!isCheckoutId(checkoutId)) throw new Refused(NO_PAYMENT_SESSION);
      const query: CheckoutDeletionQuery = { checkoutId, entityId: admitted.access.channel.id };
      const { outcome, vaultReference } = await this.queries.ask<CheckoutDeletionAnswer>(
        ...(['checkouts', 'checkouts.delete', query] as const),
      );
      await this.savings.forgetQuietly({ vaultReference });
      if (outcome === 'gone') throw new Refused(NO_PAYMENT_SESSION);
      return deletionAnswer(checkoutId, outcome, admitted.stamp);
    });
  }
}
