import {
  type AccountBank,
  type DetailsToHold,
  type InstrumentKind,
  instrumentKinds,
  type RevealedInstrument,
  type SecretDetails,
  type TokenToOpen,
  walletNames,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';

/** The vault's paths (D-44); details are only ever in bodies. */
export const cardPaths = {
  hold: '/cards/hold',
  openToken: '/cards/open-token',
  reveal: '/cards/reveal',
  forget: '/cards/forget',
  keep: '/cards/keep',
  changeKept: '/cards/change-kept',
  forgetKept: '/cards/forget-kept',
  keepBankAccount: '/cards/keep-bank-account',
  revealBankAccount: '/cards/reveal-bank-account',
  forgetBankAccount: '/cards/forget-bank-account',
  saveDetails: '/cards/save',
  readSaved: '/cards/read-saved',
  forgetSaved: '/cards/forget-saved',
  revealNumber: '/cards/reveal-number',
  holdProof: '/cards/hold-proof',
  revealProof: '/cards/reveal-proof',
} as const;

/** Details in clear, by wire name. */
export type ClearDetails = Readonly<Record<string, string>>;

/** An instrument's details on their way to or from the vault. */
export interface DetailsMessage {
  readonly kind: InstrumentKind;
  readonly details: ClearDetails;
  /** Only on its way to the vault. */
  readonly inMemory?: ClearDetails;
  /** The same. */
  readonly kept?: string;
  /** The same. */
  readonly merchantId?: EntityId;
  /** The same. */
  readonly bank?: AccountBank;
}

/** What the vault answers to whoever wants details in clear; neither, where it has none. */
export interface RevealAnswer {
  readonly instrument?: DetailsMessage;
  /** In place of it: it was kept for a registration, and is forgotten for good. */
  readonly isRegistrationForgotten?: true;
}

/**
 * An instrument in clear, for the body of one message between the vault and an authorized caller.
 * Outside the vault and the connectors, only here do details leave their masking type.
 */
export function detailsMessage(instrument: DetailsToHold | RevealedInstrument): DetailsMessage {
  const { kind, details } = instrument;
  const inMemory = 'inMemory' in instrument ? instrument.inMemory : undefined;
  const kept = 'kept' in instrument ? instrument.kept : undefined;
  const merchantId = 'merchantId' in instrument ? instrument.merchantId : undefined;
  const bank = 'bank' in instrument ? instrument.bank : undefined;
  return {
    kind,
    details: clearDetails(details),
    ...(inMemory !== undefined && { inMemory: clearDetails(inMemory) }),
    ...(kept !== undefined && { kept }),
    ...(merchantId !== undefined && { merchantId }),
    ...(bank !== undefined && { bank }),
  };
}

/** The details of a message, or undefined when there are none. */
export function readDetailsMessage(message: unknown): DetailsToHold | undefined {
  const { kind, ...rest } = (message ?? {}) as Readonly<Record<string, unknown>>;
  const details = secretsIn(rest['details']);
  if (!isKind(kind) || details === undefined) return undefined;
  const { kept, merchantId } = rest;
  if (kept !== undefined && typeof kept !== 'string') return undefined;
  if (merchantId !== undefined && typeof merchantId !== 'string') return undefined;
  const bank = rest['bank'] === undefined ? undefined : bankIn(rest['bank']);
  if (rest['bank'] !== undefined && bank === undefined) return undefined;
  const known = {
    ...{ kind, details },
    ...(bank !== undefined && { bank }),
    ...(kept !== undefined && { kept }),
    ...(merchantId !== undefined && { merchantId: merchantId as EntityId }),
  };
  if (rest['inMemory'] === undefined) return known;
  const inMemory = secretsIn(rest['inMemory']);
  return inMemory && { ...known, inMemory };
}

/** Undefined for what is none. */
function bankIn(bank: unknown): AccountBank | undefined {
  if (typeof bank !== 'object' || bank === null) return undefined;
  const { country, code, bic } = bank as Readonly<Record<string, unknown>>;
  const parts = Object.entries({ country, code, bic }).filter(([, part]) => part !== undefined);
  return parts.every(([, part]) => typeof part === 'string')
    ? Object.fromEntries(parts)
    : undefined;
}

/** A token in clear, for the body of one message to the vault. */
export function tokenMessage(toOpen: TokenToOpen): object {
  return { ...toOpen, toHold: detailsMessage(toOpen.toHold) };
}

/** The token of a message, or undefined when there is none. */
export function readTokenMessage(message: unknown): TokenToOpen | undefined {
  const fields = (message ?? {}) as Readonly<Record<string, unknown>>;
  const toHold = readDetailsMessage(fields['toHold']);
  const { wallet, amount, brand, entityIds, transaction, usedBy } = fields;
  const isKnown = walletNames.some((name) => name === wallet);
  if (toHold === undefined || !isKnown || typeof usedBy !== 'string') return undefined;
  if (typeof amount !== 'object' || amount === null || !Array.isArray(entityIds)) return undefined;
  if (brand !== undefined && typeof brand !== 'string') return undefined;
  if (transaction !== undefined && typeof transaction !== 'string') return undefined;
  return { ...fields, toHold } as TokenToOpen;
}

/** Details that are to be saved, in clear, for the body of one message to the vault. */
export function savingMessage(toHold: DetailsToHold, lifeMs: number): object {
  return { toHold: detailsMessage(toHold), lifeMs };
}

/** The same of such a message, or undefined when there are none. */
export function readSavingMessage(
  message: unknown,
): { readonly toHold: DetailsToHold; readonly lifeMs: number } | undefined {
  const { toHold: sent, lifeMs } = (message ?? {}) as Readonly<Record<string, unknown>>;
  const toHold = readDetailsMessage(sent);
  if (toHold === undefined || typeof lifeMs !== 'number' || !(lifeMs > 0)) return undefined;
  return { toHold, lifeMs };
}

/** Details in clear, for the body of one message between the vault and who may read them. */
export function clearDetails(details: SecretDetails): ClearDetails {
  const texts: Record<string, string> = {};
  for (const [name, detail] of Object.entries(details)) texts[name] = detail.reveal();
  return texts;
}

/** Details of such a message, or undefined when there are none. */
export function secretsIn(texts: unknown): SecretDetails | undefined {
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts)) return undefined;
  const details: Record<string, Detail> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text !== 'string') return undefined;
    details[name] = new Detail(text);
  }
  return details;
}

function isKind(value: unknown): value is InstrumentKind {
  return instrumentKinds.some((kind) => kind === value);
}
