import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutWallets } from '../checkout-wallets.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `POST /v1/checkouts/{id}/wallets/applePay`: has Apple confirm that the page which asks is the merchant's,
 * before a sheet of Apple Pay opens there. The checkout's id is all that it needs (page 0067).
 */
@Controller()
export class StartApplePaySession {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly wallets: CheckoutWallets,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Post('v1/checkouts/:id/wallets/applePay')
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    const { origin } = request.headers;
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.wallets.applePaySession(asked, { id, origin })),
    );
  }
}
