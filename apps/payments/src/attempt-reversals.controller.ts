import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { AttemptReversalAnswer, AttemptReversalQuery, Elsewhere } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { AttemptReversals } from './attempt-reversals.js';

/** What checkouts has payments undo. */
@Controller()
export class AttemptReversalsController {
  constructor(private readonly reversals: AttemptReversals) {}

  /** A payment was approved after it was given up: reverses it, once. */
  @MessagePattern(queryPattern('payments.reverseAttempt'))
  reverse(@Payload() query: AttemptReversalQuery): Promise<AttemptReversalAnswer | Elsewhere> {
    return this.reversals.reverse(query);
  }
}
