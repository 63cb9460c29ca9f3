import { record } from './offered-wallet.js';

/** A scheme's system, and as whom it knows gateway and merchant. */
export interface OfferedSrcSystem {
  readonly script: string;
  /** Where its script leaves its interface on the page. */
  readonly global: string;
  readonly srcInitiatorId: string;
  readonly srciDpaId: string;
}

/**
 * What is used of EMVCo's JavaScript interface of an SRC system, in the form that its specification has:
 * a system whose own differs needs a script between the two.
 */
export interface SrcSdk {
  init(settings: object): Promise<unknown>;
  identityLookup(identity: {
    readonly consumerIdentity: {
      readonly identityProvider: 'SRC';
      readonly identityType: 'EMAIL_ADDRESS';
      readonly identityValue: string;
    };
  }): Promise<unknown>;
  initiateIdentityValidation(): Promise<unknown>;
  completeIdentityValidation(code: { readonly validationData: string }): Promise<unknown>;
  getSrcProfile(shopper: { readonly idTokens: readonly string[] }): Promise<unknown>;
  checkout(checkout: object): Promise<unknown>;
}

const METHODS = [
  ...['init', 'identityLookup', 'initiateIdentityValidation', 'completeIdentityValidation'],
  ...['getSrcProfile', 'checkout'],
];

/** The interface that a script has left there: some leave the thing itself, others what makes it. */
export function srcSdkAt(page: object, global: string): SrcSdk | undefined {
  let found: unknown = page;
  for (const name of global.split('.')) found = member(found, name);
  const made: unknown = typeof found === 'function' ? new (found as new () => object)() : found;
  const isWhole = METHODS.every((name) => typeof member(made, name) === 'function');
  return isWhole ? (made as SrcSdk) : undefined;
}

function member(of: unknown, name: string): unknown {
  return (of as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** Why a system has refused, in its own word: `CODE_INVALID`; undefined where it has not said. */
export function reasonOf(error: unknown): string | undefined {
  const said = record(error);
  const { reason = record(said['error'])['reason'] } = said;
  return typeof reason === 'string' ? reason : undefined;
}
