import { Controller, Delete, Options, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CheckoutDeletions } from '../checkout-deletions.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToEverybody, OpenToShoppers } from '../route-access.js';

const PATH = 'v1/checkouts/:id/registrations/:registrationId';

/** A page of any origin has the form in it; the browser keeps this for as long as a checkout lives. */
const TO_BROWSERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'DELETE',
  'access-control-max-age': '1800',
};

/**
 * `DELETE /v1/checkouts/{id}/registrations/{registrationId}`: the shopper deletes a stored account that the
 * checkout offers, where the merchant allows it (page 0065). It has no access, like the form.
 */
@Controller()
export class DeleteOfferedRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly deletions: CheckoutDeletions,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Delete(PATH)
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Param('registrationId') registrationId: string,
  ): Promise<void> {
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.deletions.delete(asked, { id, registrationId })),
    );
  }

  /** Browsers ask first whether a page of another origin may send a DELETE (CORS). */
  @OpenToEverybody()
  @Options(PATH)
  allow(@Res() reply: FastifyReply): void {
    void reply.code(204).headers(TO_BROWSERS).send();
  }
}
