import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { BankReturnAnswer, BankReturnQuery, Elsewhere } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { BankReturns } from './bank-returns.js';

/** What the service of the files for a bank tells payments. */
@Controller()
export class BankReturnsController {
  constructor(private readonly returns: BankReturns) {}

  /** The bank has taken a payment back: records the chargeback, once. */
  @MessagePattern(queryPattern('payments.bankReturn'))
  bankReturn(@Payload() query: BankReturnQuery): Promise<BankReturnAnswer | Elsewhere> {
    return this.returns.returned(query);
  }
}
