import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { CheckoutId } from '@sluice/identifiers';
import { namedRegistrations, REGISTRATION_ID } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../answer.js';
import { CheckoutCompletion } from '../checkout-completion.js';
import { CheckoutSavings, isOffered } from '../checkout-savings.js';
import { CheckoutSender } from '../checkout-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/checkouts/{id}`, also without `/v1`: the merchant changes what is to be paid (wire contract 3). */
@Controller()
export class UpdateCheckout {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly completion: CheckoutCompletion,
    private readonly checkouts: CheckoutSender,
    private readonly savings: CheckoutSavings,
  ) {}

  @Post(['v1/checkouts/:id', 'checkouts/:id'])
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, async (admitted) => {
      const found = await this.completion.find(id);
      const answer = await this.checkouts.update(admitted, found);
      const { form } = admitted;
      const isOfStored = namedRegistrations(form).length > 0 || form.has(REGISTRATION_ID);
      if (isOfStored) await this.#forgetUnoffered(found.id);
      return answer;
    });
  }

  /** The code of a stored account is of no use where the checkout offers that no more. */
  async #forgetUnoffered(id: CheckoutId): Promise<void> {
    try {
      const { checkout } = await this.completion.find(id);
      const { saved } = checkout;
      if (saved !== undefined && !isOffered(saved, checkout))
        await this.savings.forgetQuietly(saved);
    } catch (error) {
      // The change is made: where nobody says what is saved, it expires.
      if (!(error instanceof Refused)) throw error;
    }
  }
}
