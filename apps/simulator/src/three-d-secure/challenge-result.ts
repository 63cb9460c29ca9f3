import type { Authentication } from './authentication-book.js';
import type { Message } from './messages.js';
import type { Status } from './networks.js';

/** CRes, the last message of a challenge in a browser. */
export function challengeResult({ request, id }: Authentication, status: Status): Message {
  return {
    threeDSServerTransID: request.serverTransactionId,
    acsTransID: id,
    messageType: 'CRes',
    messageVersion: request.version,
    // To browsers a challenge says yes or no; what else it may be, RReq says.
    transStatus: status === 'Y' ? 'Y' : 'N',
  };
}
