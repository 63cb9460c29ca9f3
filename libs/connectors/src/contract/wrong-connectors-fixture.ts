import { HttpClient } from '@sluice/service';
import type {
  Connector,
  ConnectorCapabilities,
  InquiryOutcome,
  ReversalOutcome,
  SubmitOutcome,
} from '../connector.js';
import type { SimulatorConnector } from '../simulator/simulator-connector.js';
import { inquiryOutcome, reversalOutcome, submitOutcome } from '../simulator/transaction-answer.js';
import { transactionMessage } from '../simulator/transaction-message.js';

/** A connector with one defect, and how the name of each rule begins that says so. */
export interface WrongConnector {
  readonly defect: string;
  readonly breaks: readonly string[];
  /** What it does otherwise than the right one. */
  readonly otherwise: (right: SimulatorConnector, url: string) => Partial<Connector>;
}

const DECLINED: SubmitOutcome = { kind: 'declined', resultCode: '800.100.152' };
const MUCH_LATER_MS = 60_000;

/** Each rule of the contract is broken by one of them. */
export const wrongConnectors: readonly WrongConnector[] = [
  wrong('it has another name', ['its name is'], () => ({ name: 'acquirer' })),
  declaring('a call has no time', ['its times are'], { callTimeoutMs: 0 }),
  declaring('a reversal is too late before it can be asked for', ['a reversal is cut off'], {
    reversalCutOffMs: (recordedAtMs) => recordedAtMs - 1,
  }),
  wrong('it takes whatever comes', ['it takes payments by nothing else'], (right) => ({
    submit: async (request, _instrument, options) => right.submit(request, undefined, options),
  })),
  declaring('it pays by wallet though it says that it cannot', ['a card out of a wallet'], {
    takesWallets: false,
  }),
  wrong('it takes the card from the parameters', ['it takes parameters'], () => ({
    takes: ['card.number'],
  })),
  declaring('it asks without being able to', ['it asks for'], { canInquire: false }),
  declaring('it undoes without being able to', ['it undoes'], { canReverse: false }),
  declaring('it says less of parts than it does', ['it reverses'], { partialReversal: false }),
  declaring(
    'it does what it says that it cannot',
    ['incrementalAuthorization is', 'reauthorization is'],
    {
      incrementalAuthorization: false,
      reauthorization: false,
    },
  ),
  submitting('it performs nothing', ['authorization is', 'debit is', 'credit is'], () => ({
    kind: 'notPerformed',
    reason: 'unsupported',
  })),
  wrong(
    'it does not say what an operation refers to',
    ['capture is', 'reversal is', 'refund is', 'rebill is', 'receipt is'],
    (right) => ({
      submit: ({ originalReference: _, ...request }, instrument, options) =>
        right.submit(request, instrument, options),
    }),
  ),
  wrong('it takes dinars for a currency of two decimals', ['amounts are'], (right) => ({
    submit: ({ amount, ...request }, instrument, options) => {
      const minor = amount.currency === 'KWD' ? amount.minor / 10n : amount.minor;
      return right.submit({ ...request, amount: { ...amount, minor } }, instrument, options);
    },
  })),
  wrong('it does what test directives say', ['test directives'], () => ({})),
  wrong('it shows the card', ['what comes back'], (right) => ({
    submit: async (request, instrument, options) => {
      const outcome = await right.submit(request, instrument, options);
      return {
        ...outcome,
        resultDetails: { Card: instrument?.details['card.number']?.reveal() ?? '' },
      };
    },
  })),
  submitting('an approval has no transaction', ['an approval names'], (outcome) =>
    outcome.kind === 'approved' ? { ...outcome, connectorTxId: '' } : outcome,
  ),
  submitting('a decline has no code', ['a decline has'], (outcome) =>
    outcome.kind === 'declined' ? { ...outcome, resultCode: 'declined' } : outcome,
  ),
  submitting('what is pending counts as approved', ['what is to be decided'], (outcome) =>
    outcome.kind === 'pending' ? { kind: 'approved', connectorTxId: 'S000000000001' } : outcome,
  ),
  submitting('nobody is told what is loaded before', ['where a shopper has to go'], (outcome) => {
    if (outcome.kind !== 'pending' || outcome.redirect === undefined) return outcome;
    const { preconditions: _, ...redirect } = outcome.redirect;
    return { ...outcome, redirect };
  }),
  submitting('a refusal is a decline', ['what the acquirer does not take'], (outcome) =>
    outcome.kind === 'notPerformed' && outcome.reason === 'refused' ? DECLINED : outcome,
  ),
  wrong('nothing is ever "not found"', ['what was never sent'], (right) => ({
    inquire: async (reference, options) => {
      const outcome = await right.inquire(reference, options);
      return outcome.kind === 'notFound' ? { kind: 'unavailable' } : outcome;
    },
  })),
  submitting('nobody there is an unknown outcome', ['an acquirer that cannot'], (outcome) =>
    outcome.kind === 'notPerformed' ? { kind: 'unknown', reason: 'connectionLost' } : outcome,
  ),
  submitting('a server error is a decline', ['a server error'], (outcome) =>
    outcome.kind === 'unknown' && outcome.reason === 'serverError' ? DECLINED : outcome,
  ),
  submitting('a web page is a decline', ['a web page'], (outcome) =>
    outcome.kind === 'unknown' && outcome.reason === 'unreadableAnswer' ? DECLINED : outcome,
  ),
  wrong('any HTTP 404 is a "not found"', ['a page that says'], (right) => ({
    inquire: async (reference, options) => {
      const outcome = await right.inquire(reference, options);
      return outcome.kind === 'unavailable' ? { kind: 'notFound' } : outcome;
    },
  })),
  submitting('what it cannot read is thrown', ['half an answer'], (outcome) => {
    if (outcome.kind === 'unknown') throw new SyntaxError('Unexpected end of JSON input');
    return outcome;
  }),
  wrong('a lost answer is asked for by sending again', ['a lost answer'], (right) => ({
    submit: async (request, instrument, options) => {
      const outcome = await right.submit(request, instrument, options);
      return outcome.kind === 'unknown' ? right.submit(request, instrument, options) : outcome;
    },
  })),
  wrong('any answer counts', ['a "not found"', 'an approval about', 'a refusal about'], believing),
  wrong(
    'a connection is kept after a foreign answer',
    ['an answer to another request', 'an answer that comes late'],
    keeping,
  ),
  wrong('a submission begins at any time', ['a submission whose time'], (right) => ({
    submit: (request, instrument, options) =>
      right.submit(request, instrument, {
        ...options,
        beginByMs: performance.now() + MUCH_LATER_MS,
      }),
  })),
  wrong('its time is looked at only before it waits', ['nor one whose time ends'], (right) => ({
    submit: async (request, instrument, options) =>
      performance.now() > options.beginByMs
        ? { kind: 'notPerformed', reason: 'sendWindowOver' }
        : right.submit(request, instrument, {
            ...options,
            beginByMs: performance.now() + MUCH_LATER_MS,
          }),
  })),
  wrong(
    'it waits for an answer as long as it takes',
    ['no answer in time', 'an answer whose end'],
    (right) => ({
      submit: (request, instrument, options) =>
        right.submit(request, instrument, { ...options, timeoutMs: MUCH_LATER_MS }),
    }),
  ),
  wrong(
    'it cannot be told to give up',
    ['a submission that is given up before', 'a submission that is given up after'],
    (right) => ({
      submit: (request, instrument, { timeoutMs, beginByMs }) =>
        right.submit(request, instrument, { timeoutMs, beginByMs }),
    }),
  ),
  wrong('it goes on when it is closed', ['what is under way'], () => ({
    close: () => Promise.resolve(),
  })),
];

function wrong(
  defect: string,
  breaks: readonly string[],
  otherwise: WrongConnector['otherwise'],
): WrongConnector {
  return { defect, breaks, otherwise };
}

/** It declares something else, and does as before. */
function declaring(
  defect: string,
  breaks: readonly string[],
  capabilities: Partial<ConnectorCapabilities>,
): WrongConnector {
  return wrong(defect, breaks, (right) => ({
    capabilities: { ...right.capabilities, ...capabilities },
  }));
}

/** It makes something else of an outcome. */
function submitting(
  defect: string,
  breaks: readonly string[],
  made: (outcome: SubmitOutcome) => SubmitOutcome,
): WrongConnector {
  return wrong(defect, breaks, (right) => ({
    submit: async (request, instrument, options) =>
      made(await right.submit(request, instrument, options)),
  }));
}

/** It reads each answer as being about the reference that stands in it. */
function believing(_right: SimulatorConnector, url: string): Partial<Connector> {
  const client = new HttpClient({ origin: url });
  const referenceIn = (body: string): string => {
    return (JSON.parse(body) as { readonly reference: string }).reference;
  };
  return {
    submit: async (request, instrument, options): Promise<SubmitOutcome> => {
      const body = transactionMessage(request, instrument);
      const result = await client.send({ method: 'POST', path: '/transactions', body, ...options });
      return result.kind === 'answered'
        ? submitOutcome(result, referenceIn(result.body))
        : { kind: 'unknown', reason: 'connectionLost' };
    },
    inquire: async (reference, options): Promise<InquiryOutcome> => {
      const path = `/transactions/${reference}`;
      const result = await client.send({ method: 'GET', path, ...options });
      return result.kind === 'answered'
        ? inquiryOutcome(result, referenceIn(result.body))
        : { kind: 'unavailable' };
    },
    reverse: async (reference, options): Promise<ReversalOutcome> => {
      const path = `/transactions/${reference}/reversal`;
      const result = await client.send({ method: 'POST', path, body: '{}', ...options });
      return result.kind === 'answered'
        ? reversalOutcome(result, referenceIn(result.body))
        : { kind: 'unavailable' };
    },
    close: () => client.close(),
  };
}

/** It sees that an answer is not its own, and uses the connection again all the same. */
function keeping(_right: SimulatorConnector, url: string): Partial<Connector> {
  const client = new HttpClient({ origin: url, connectionsMax: 1 });
  return {
    submit: async (request, instrument, options): Promise<SubmitOutcome> => {
      const body = transactionMessage(request, instrument);
      const result = await client.send({ method: 'POST', path: '/transactions', body, ...options });
      return result.kind === 'answered'
        ? submitOutcome(result, request.acquirerReference)
        : { kind: 'unknown', reason: 'connectionLost' };
    },
    close: () => client.close(),
  };
}
