import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { ResultCallQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { ResultCalls } from './result-calls.js';

/** What other services ask of it. */
@Controller()
export class QueriesController {
  constructor(private readonly resultCalls: ResultCalls) {}

  /** Nobody has read the result of a checkout: its merchant's page is to be called. */
  @MessagePattern(queryPattern('webhooks.callResult'))
  async callResult(@Payload() query: ResultCallQuery): Promise<object> {
    await this.resultCalls.accept(query);
    return {};
  }
}
