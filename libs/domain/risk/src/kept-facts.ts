import type { InitialOperation, Mode } from '@sluice/contracts';
import type { Amount } from '@sluice/money';
import { type AddressFacts, type Facts, type Subject, subjects } from './facts.js';

/** Of what a mark is made. */
export type Marked = Subject | 'emailDomain';

/** A short text in the place of a value: the same for the same value, and by a key, so that nobody guesses it. */
export type Mark = (of: Marked, value: string) => string;

/** What is kept of a payment so that other rules can be applied to it later: no person in clear. */
export interface KeptFacts extends AddressFacts {
  /** Its channel first, then every node above it. */
  readonly nodes: readonly string[];
  readonly mode: Mode;
  readonly operation?: InitialOperation;
  /** What is paid, where rules have judged another amount; in minor units. */
  readonly paidMinor?: string;
  /** Marks of who pays. */
  readonly payer: Facts['payer'];
  readonly bin?: string;
  readonly brand?: string;
  readonly issuerCountry?: string;
  readonly billingCountry?: string;
  readonly shippingCountry?: string;
  /** A mark: some persons have a domain of their own. */
  readonly emailDomain?: string;
  /** Marks of addresses, as the shopper's in `payer` has one: lists look at them, too. */
  readonly behindIp?: readonly string[];
}

/**
 * What is kept of a payment. Amount and time have columns of their own; other parameters are not kept, nor what is
 * said of them.
 */
export function keptFacts(facts: Facts, nodes: readonly string[], mark: Mark): KeptFacts {
  const { atMs: _, amount: __, parameters: ___, checks: ____, ...told } = facts;
  const { payer, emailDomain, behindIp, isEmailReadable: _e, isIpReadable: _i, ...plain } = told;
  const marks = subjects.flatMap((subject) => {
    const value = payer[subject];
    return value === undefined ? [] : [[subject, mark(subject, value)] as const];
  });
  return {
    ...plain,
    ...{ nodes, payer: Object.fromEntries(marks) },
    ...(emailDomain !== undefined && { emailDomain: mark('emailDomain', emailDomain) }),
    ...(behindIp !== undefined && { behindIp: behindIp.map((value) => mark('ip', value)) }),
  };
}

/** The facts that rules see later, with marks in the place of persons. */
export function factsAsKept(
  kept: KeptFacts,
  { atMs, amount }: { readonly atMs: number; readonly amount: Amount },
): Facts {
  // With its nodes, at which no rule looks: to leave them out took longer than all the rest of this.
  return { ...kept, atMs, amount, parameters: NO_PARAMETERS };
}

const NO_PARAMETERS: Facts['parameters'] = {};
