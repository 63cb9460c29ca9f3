import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  AssessedNodesAnswer,
  AssessedNodesQuery,
  AssessmentAnswer,
  AssessQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { Assessor } from './assessor.js';
import { RuleBook } from './rule-book.js';

/** Questions of payments about the rules of merchants. */
@Controller()
export class AssessmentsController {
  constructor(
    private readonly rules: RuleBook,
    private readonly assessor: Assessor,
  ) {}

  /** Which nodes have rules, if that is not what the asker knows. */
  @MessagePattern(queryPattern('risk.assessedNodes'))
  assessedNodes(@Payload() { knownVersion }: AssessedNodesQuery): AssessedNodesAnswer {
    const nodes = this.rules.assessedNodes;
    if (nodes === undefined) throw new Error('The rules have not been read yet.');
    return nodes.version === knownVersion ? {} : { nodes };
  }

  /** What the rules say of a payment; asked again, the same. */
  @MessagePattern(queryPattern('risk.assess'))
  assess(@Payload() query: AssessQuery): Promise<AssessmentAnswer> {
    return this.assessor.assess(query);
  }
}
