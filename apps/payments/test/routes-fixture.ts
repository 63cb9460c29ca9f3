import {
  type Endpoint,
  installationAddress,
  type MerchantAccount,
  type MerchantAccountId,
  type RoutedNode,
  type RouteId,
  type RouteMessage,
  type RoutingAnswer,
  type RoutingQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import { ENTITY_ID } from './payments-fixture.js';

export const accountId = (digit: string) => digit.repeat(32) as MerchantAccountId;
export const routeId = (digit: string) => digit.repeat(32) as RouteId;

/** An account with the acquirer of that name, which the installation itself is told of. */
export function accountWith(digit: string, connector: string): MerchantAccount {
  const endpoint: Endpoint = {
    ...{ address: installationAddress(connector), acquirerMerchantId: 'M-1' },
    ...{ settings: {}, credentials: {} },
  };
  return {
    ...{ id: accountId(digit), name: `Account ${digit}`, connector },
    endpoints: { LIVE: endpoint, EXTERNAL: endpoint },
  };
}

/** A route to the account of the same digit, in the modes in which somebody is called. */
export function routeTo(digit: string, changes: Partial<RouteMessage> = {}): RouteMessage {
  return {
    ...{ id: routeId(digit), merchantAccountId: accountId(digit) },
    ...{ modes: ['LIVE', 'EXTERNAL'], priority: 0, weight: 1 },
    ...changes,
  };
}

/** Accounts in the hand of a test: its channel has these merchant accounts and routes. */
export class ScriptedAccounts implements Queries {
  isAway = false;
  asked = 0;
  #version = 0;
  #nodes: readonly RoutedNode[] = [];

  /** The process learns it when it asks the next time. */
  say(merchantAccounts: readonly MerchantAccount[], routes: readonly RouteMessage[]): void {
    this.#version += 1;
    this.#nodes = [{ id: ENTITY_ID, merchantAccounts, routes }];
  }

  async ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    if (query === 'risk.assessedNodes')
      return { nodes: { version: '0', before: [], after: [] } } as Answer;
    this.asked += 1;
    if (this.isAway || query !== 'accounts.routing') throw new Error('Accounts is away.');
    const version = String(this.#version);
    const isKnown = (parameters as RoutingQuery).knownVersion === version;
    const answer: RoutingAnswer = isKnown ? {} : { directory: { version, nodes: this.#nodes } };
    return answer as Answer;
  }
}
