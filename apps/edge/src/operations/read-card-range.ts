import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access-guard.js';
import { CardRanges } from '../card-ranges.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToShoppers } from '../route-access.js';

/**
 * `POST /v1/checkouts/{id}/card-range`: which brands, country and type the card's first digits are of, for the
 * frame in which its number is typed. It reads, and is a POST because digits are in no address (page 0065).
 */
@Controller()
export class ReadCardRange {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly ranges: CardRanges,
    private readonly guard: AccessGuard,
  ) {}

  @OpenToShoppers()
  @Post('v1/checkouts/:id/card-range')
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    const hasQuery = request.url.includes('?');
    return this.pipeline.serveShopper(request, reply, (asked) =>
      this.guard.notingGuesses(request, () => this.ranges.read(asked, { id, hasQuery })),
    );
  }
}
