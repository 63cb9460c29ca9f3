import type { EntityId, TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import type { AuthenticationTerms } from './authentication.js';
import type {
  AuthenticationCommand,
  BeginAuthentication,
  RecordResponse,
  RecordResult,
} from './authentication-decider.js';
import { authenticationDecider } from './authentication-decider.js';
import type { AuthenticationState } from './authentication.js';
import type { AuthenticationEvent } from './authentication-events.js';

export const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
export const ids = {
  serverTransactionId: '11111111-1111-4111-8111-111111111111',
  dsTransactionId: '22222222-2222-4222-8222-222222222222',
  acsTransactionId: '33333333-3333-4333-8333-333333333333',
} as const;
export const OTHER_ID = '44444444-4444-4444-8444-444444444444';

export function begin(changes: Partial<AuthenticationTerms> = {}): BeginAuthentication {
  return {
    ...({ type: 'BeginAuthentication', nowMs: NOW_MS, personal: 'sealed' } as const),
    coverage: { amount: { minor: 9_200n, currency: currency('EUR') }, isShort: false },
    terms: {
      authenticationId: 'a'.repeat(32) as TransactionId,
      paymentId: 'a'.repeat(32) as TransactionId,
      entityId: 'e'.repeat(32) as EntityId,
      ...({ isLive: false, network: 'visa', version: '2.2.0', channel: '02' } as const),
      ...({ category: '01', vaultReference: 'vault-0.1', goesOnWith: ['Y', 'A'] } as const),
      serverTransactionId: ids.serverTransactionId,
      redirectUrl: 'https://gateway.example/redirects/1',
      ...changes,
    },
  };
}

export const send: AuthenticationCommand = {
  ...({ type: 'SendRequest', nowMs: NOW_MS, nextServerTransactionId: OTHER_ID } as const),
  answerWithinMs: 15_000,
};

export function response(changes: Partial<RecordResponse> = {}): RecordResponse {
  return { type: 'RecordResponse', nowMs: NOW_MS, ...ids, status: 'Y', ...changes };
}

export const challenged = response({ status: 'C', acsUrl: 'https://issuer.example/challenge' });

export function result(changes: Partial<RecordResult> = {}): RecordResult {
  return { type: 'RecordResult', nowMs: NOW_MS, ...ids, status: 'Y', ...changes };
}

export const returned = { ...({ type: 'RecordReturn', nowMs: NOW_MS } as const), ...ids };

/** The state after some commands, and what the last of them came to. */
export function after(...commands: readonly AuthenticationCommand[]): {
  readonly state: AuthenticationState;
  readonly last: readonly AuthenticationEvent[];
} {
  let state = authenticationDecider.initialState;
  let last: readonly AuthenticationEvent[] = [];
  for (const command of commands) {
    last = authenticationDecider.decide(command, state);
    state = last.reduce(authenticationDecider.evolve, state);
  }
  return { state, last };
}

/** The names of the events of the last command. */
export function named(...commands: readonly AuthenticationCommand[]): readonly string[] {
  return after(...commands).last.map(({ type }) => type);
}
