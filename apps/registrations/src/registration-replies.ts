import type { CommandReply, ReplyWords } from '@sluice/aggregates';
import { ELSEWHERE, type FixedAnswer, type RegistrationReply } from '@sluice/contracts';
import type { RegistrationStreamState } from '@sluice/domain-registrations';
import { registrationOf, type RegistrationStore } from './registration-aggregate.js';

/** What a command is answered with. */
export type HandlerReply = CommandReply<RegistrationReply>;

/** There is no such registration of this channel. */
export const NOT_FOUND: RegistrationReply = { kind: 'notFound' };
/** Nobody knows now whether it can be done. */
export const UNAVAILABLE: RegistrationReply = { kind: 'unavailable' };
const BUSY: RegistrationReply = { kind: 'busy' };

/** How registrations answers commands. */
export function registrationWords(
  store: Pick<RegistrationStore, 'readByTransaction'>,
): ReplyWords<RegistrationStreamState, RegistrationReply> {
  return {
    ...{ busy: BUSY, unavailable: UNAVAILABLE, elsewhere: ELSEWHERE },
    ofUsedKey: ({ fingerprint, answer, reply }) => ({
      ...{ kind: 'keyTaken', fingerprint, answer: JSON.parse(answer) as FixedAnswer },
      ...(reply.kind === 'outcome' && { outcome: reply.outcome }),
    }),
    of: replyOf,
    isRequested,
    recorded: {
      replyFor: async (transactionId) => {
        const found = await store.readByTransaction(transactionId);
        return replyOf(found && registrationOf(found.events), transactionId);
      },
      isUnderWay: (reply) => reply.kind === 'outcome' && reply.outcome.status === 'requested',
    },
  };
}

/** Something is still to be done by the vault: keep the details, or forget them. */
function isRequested(state: RegistrationStreamState, transactionId: string): boolean {
  const outcome = state?.outcomes.get(transactionId);
  return outcome?.operation === 'deletion'
    ? outcome.status === 'approved' && state?.isToBeForgotten === true
    : outcome?.status === 'requested';
}

/** What the stream says of a request; busy if it is just being recorded. */
export function replyOf(state: RegistrationStreamState, transactionId: string): RegistrationReply {
  const outcome = state?.outcomes.get(transactionId);
  return outcome === undefined ? BUSY : { kind: 'outcome', outcome };
}
