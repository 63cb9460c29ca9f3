import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { TakenBrandsAnswer, TakenBrandsQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { fromMessage } from '@sluice/money';
import { knownBrands } from '@sluice/parameters';
import { PaymentRouting } from './payment-routing.js';

/** What the routes of an entity take, for edge, which offers it to shoppers (page 0065). */
@Controller()
export class TakenBrandsController {
  constructor(private readonly routing: PaymentRouting) {}

  /** Between which brands the shopper of a payment to come may choose. */
  @MessagePattern(queryPattern('payments.takenBrands'))
  takenBrands(@Payload() query: TakenBrandsQuery): TakenBrandsAnswer {
    const { amount, inInstallments = false, ...payment } = query;
    if (!this.routing.isKnown) return {};
    const taken = this.routing.taken(knownBrands, {
      ...payment,
      inInstallments,
      amount: fromMessage(amount),
    });
    return { brands: taken.map(({ brand }) => brand) };
  }
}
