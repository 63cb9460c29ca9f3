import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  type AuthenticationProofAnswer,
  type Elsewhere,
  ELSEWHERE,
  type TransactionQuery,
} from '@sluice/contracts';
import { ShardElsewhere } from '@sluice/event-store';
import { queryPattern } from '@sluice/messaging';
import { AuthenticationProofs } from './authentication-proofs.js';

/** The cryptogram of an authentication alone, for the merchant who asked for that. */
@Controller()
export class AuthenticationProofsController {
  constructor(private readonly proofs: AuthenticationProofs) {}

  @MessagePattern(queryPattern('payments.authenticationProof'))
  async authenticationProof(
    @Payload() query: TransactionQuery,
  ): Promise<AuthenticationProofAnswer | Elsewhere> {
    try {
      return await this.proofs.of(query);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }
}
