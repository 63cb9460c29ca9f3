import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutBrands } from '../checkout-brands.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `GET /v1/checkouts/{id}/brands`: by which brands the checkout can be paid, for the shopper's browser. It has
 * no access: the checkout's id is all that it needs (page 0065).
 */
@Controller()
export class ReadCheckoutBrands {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly brands: CheckoutBrands,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Get('v1/checkouts/:id/brands')
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.brands.read(asked, id)),
    );
  }
}
