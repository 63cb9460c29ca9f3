import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { AssessedNodesAnswer, AssessedNodesQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';

/** So far no rule can be written down, so no node has any. */
const WITHOUT_RULES = { version: '0', before: [], after: [] };

/** Questions of payments about the rules of merchants. */
@Controller()
export class AssessmentsController {
  @MessagePattern(queryPattern('risk.assessedNodes'))
  assessedNodes(@Payload() { knownVersion }: AssessedNodesQuery): AssessedNodesAnswer {
    return knownVersion === WITHOUT_RULES.version ? {} : { nodes: WITHOUT_RULES };
  }
}
