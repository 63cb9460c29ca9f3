import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { isNavigation } from '../browser-answers.js';
import { CheckoutCompletion, type SentForm } from '../checkout-completion.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToPages } from '../route-access.js';

/** Which checkout, and at which of its resources. */
type Asked = Pick<SentForm, 'id' | 'purpose'>;

/**
 * `POST /v1/checkouts/{id}/payment` and `…/registration`, each also without `/v1`: the shopper's browser
 * sends the form, or has it saved, or a shop completes what was saved by sending nothing to pay with (page
 * 0068). It has no access: the checkout's id, which nobody can guess, is all that it needs.
 */
@Controller()
export class SubmitCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly completion: CheckoutCompletion,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToPages()
  @Post(['v1/checkouts/:id/payment', 'checkouts/:id/payment'])
  payment(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'payment' });
  }

  @OpenToPages()
  @Post(['v1/checkouts/:id/registration', 'checkouts/:id/registration'])
  registration(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#serve(request, reply, { id, purpose: 'registration' });
  }

  #serve(request: FastifyRequest, reply: FastifyReply, form: Asked): Promise<void> {
    const sent: SentForm = { ...form, isNavigation: isNavigation(request) };
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.completion.complete(asked, sent)),
    );
  }
}
