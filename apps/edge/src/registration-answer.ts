import {
  type AnswerStamp,
  type BinTable,
  registrationCodeOf,
  registrationFields,
  registrationIdOf,
  type ShownRegistration,
  stampFields,
} from '@sluice/answers';
import { registrationTypeOf } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/** The answer to the request that made or changed a registration (wire contract 4). */
export function registrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return answerOf(shown, stamp, bins, registrationCodeOf(shown.outcome));
}

/** The answer to a read: HTTP 200 whatever became of it (D-34). */
export function readRegistrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return { ...answerOf(shown, stamp, bins, registrationCodeOf(shown.outcome)), status: 200 };
}

/** The command may have left and nobody knows: read, do not repeat (D-34). */
export function uncertainRegistrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return answerOf(shown, stamp, bins, codes.timeoutUncertain);
}

function answerOf(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
  code: string,
): Answer {
  const { outcome } = shown;
  const fields = registrationFields(shown, bins, code);
  const body = JSON.stringify({ ...idsOf(shown), ...fields, ...stampFields(stamp) });
  const status = httpStatusOf(code);
  return { status, resultCode: code, ndc: stamp.ndc, body, transactionId: outcome.id };
}

/**
 * A change answers the registration itself, which has its own id there (Interface 2.1); what else is
 * done to one answers the request.
 */
function idsOf({ outcome, asked }: ShownRegistration): object {
  const { id, referencedId, operation } = outcome;
  const paymentType = registrationTypeOf(operation);
  switch (operation) {
    case 'registration':
      return { id: registrationIdOf(outcome), ...asked };
    case 'update':
      return { id: referencedId, paymentType };
    case 'extension':
    case 'deletion':
      return { id, referencedId, paymentType };
  }
}
