import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutCompletion, type SentForm } from '../checkout-completion.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `POST /v1/checkouts/{id}/payment` and `…/registration`, each also without `/v1`: the shopper's browser
 * sends the form. It has no access: the checkout's id, which nobody can guess, is all that it needs.
 */
@Controller()
export class SubmitCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly completion: CheckoutCompletion,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Post(['v1/checkouts/:id/payment', 'checkouts/:id/payment'])
  payment(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'payment' });
  }

  @OpenToShoppers()
  @Post(['v1/checkouts/:id/registration', 'checkouts/:id/registration'])
  registration(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'registration' });
  }

  #serve(request: FastifyRequest, reply: FastifyReply, sent: SentForm): Promise<void> {
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.completion.complete(asked, sent)),
    );
  }
}
