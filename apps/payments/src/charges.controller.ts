import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { ChargeAnswer, ChargeQuery, Elsewhere } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { Charges } from './charges.js';

/** What schedules have payments charge. */
@Controller()
export class ChargesController {
  constructor(private readonly charges: Charges) {}

  /** A time has come that a merchant has set: charges once. */
  @MessagePattern(queryPattern('payments.charge'))
  charge(@Payload() query: ChargeQuery): Promise<ChargeAnswer | Elsewhere> {
    return this.charges.charge(query);
  }
}
