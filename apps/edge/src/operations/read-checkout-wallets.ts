import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutWallets } from '../checkout-wallets.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `GET /v1/checkouts/{id}/wallets`: which wallets the checkout's page has, and the amount that their sheets
 * show, for the shopper's browser. It has no access: the checkout's id is all that it needs (page 0067).
 */
@Controller()
export class ReadCheckoutWallets {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly wallets: CheckoutWallets,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Get('v1/checkouts/:id/wallets')
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.wallets.read(asked, id)),
    );
  }
}
