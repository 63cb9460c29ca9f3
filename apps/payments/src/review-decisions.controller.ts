import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  type Elsewhere,
  ELSEWHERE,
  type ReviewDecidedAnswer,
  type ReviewDecidedQuery,
} from '@sluice/contracts';
import { ShardElsewhere } from '@sluice/event-store';
import { queryPattern } from '@sluice/messaging';
import { ReviewDecisions } from './review-decisions.js';

/** What risk tells of reviews. */
@Controller()
export class ReviewDecisionsController {
  constructor(private readonly decisions: ReviewDecisions) {}

  /** A person, or the time, has decided about a payment under review. */
  @MessagePattern(queryPattern('payments.reviewDecided'))
  async decided(@Payload() query: ReviewDecidedQuery): Promise<ReviewDecidedAnswer | Elsewhere> {
    try {
      return await this.decisions.decided(query);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }
}
