import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutCompletion } from '../checkout-completion.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `GET /v1/checkouts/{id}/form`: what the widget shows of a checkout, in the shopper's browser. It has no
 * access: the checkout's id, which nobody can guess, is all that it needs (page 0064).
 */
@Controller()
export class ReadCheckoutForm {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly completion: CheckoutCompletion,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Get('v1/checkouts/:id/form')
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.completion.form(asked, id)),
    );
  }
}
