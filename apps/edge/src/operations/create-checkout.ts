import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutSender } from '../checkout-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/checkouts`, also without `/v1`: what a shopper is to pay, or to store, in a browser (Interface 4). */
@Controller()
export class CreateCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly checkouts: CheckoutSender,
  ) {}

  @Post(['v1/checkouts', 'checkouts'])
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.checkouts.create(admitted));
  }
}
