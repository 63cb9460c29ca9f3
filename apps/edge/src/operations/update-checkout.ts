import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutCompletion } from '../checkout-completion.js';
import { CheckoutSender } from '../checkout-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/checkouts/{id}`, also without `/v1`: the merchant changes what is to be paid (wire contract 3). */
@Controller()
export class UpdateCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly completion: CheckoutCompletion,
    private readonly checkouts: CheckoutSender,
  ) {}

  @Post(['v1/checkouts/:id', 'checkouts/:id'])
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, async (admitted) =>
      this.checkouts.update(admitted, await this.completion.find(id)),
    );
  }
}
