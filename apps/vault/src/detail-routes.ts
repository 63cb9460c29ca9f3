import {
  type AuthenticationVault,
  type BankAccountVault,
  type DetailsToKeep,
  internalCallers,
  type KeepingVault,
  type KeptChange,
  RegistrationForgotten,
  type SavingVault,
  type TokenVault,
  type Vault,
} from '@sluice/contracts';
import {
  cardPaths,
  clearDetails,
  detailsMessage,
  readDetailsMessage,
  readSavingMessage,
  readTokenMessage,
  type RevealAnswer,
} from '@sluice/messaging';
import { Detail } from '@sluice/secrets';
import { type InternalRoute, MalformedRequest } from '@sluice/service';

/** The vault on its internal port: who may call which route is in contracts (D-44). */
export function detailRoutes(
  vault: Vault & KeepingVault & TokenVault & BankAccountVault & SavingVault & AuthenticationVault,
): readonly InternalRoute[] {
  return [
    ...[...heldRoutes(vault), ...savedRoutes(vault), ...keptRoutes(vault)],
    ...[...orderRoutes(vault), ...authenticationRoutes(vault)],
  ];
}

/** What a shopper has typed and not yet paid with. */
function savedRoutes(vault: SavingVault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.saveDetails,
      callers: internalCallers['vault.saveDetails'],
      answer: async (parameters) => {
        const toSave = readSavingMessage(parameters);
        if (toSave === undefined) throw new MalformedRequest('nothing to save');
        const { toHold, lifeMs } = toSave;
        return JSON.stringify({ reference: await vault.saveDetails(toHold, lifeMs) });
      },
    },
    {
      path: cardPaths.readSaved,
      callers: internalCallers['vault.readSaved'],
      answer: async (parameters) => {
        const details = await vault.readSaved(referenceIn(parameters));
        return JSON.stringify(details === undefined ? {} : { details: clearDetails(details) });
      },
    },
    {
      path: cardPaths.forgetSaved,
      callers: internalCallers['vault.forgetSaved'],
      answer: async (parameters) => {
        await vault.forgetSaved(referenceIn(parameters));
        return '{}';
      },
    },
  ];
}

/** What is held for one payment. */
function heldRoutes(vault: Vault & TokenVault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.hold,
      callers: internalCallers['vault.hold'],
      answer: async (parameters) => {
        const details = readDetailsMessage(parameters);
        if (details === undefined) throw new MalformedRequest('no details');
        return JSON.stringify(await vault.hold(details));
      },
    },
    {
      path: cardPaths.openToken,
      callers: internalCallers['vault.openToken'],
      answer: async (parameters) => {
        const toOpen = readTokenMessage(parameters);
        if (toOpen === undefined) throw new MalformedRequest('no token');
        return JSON.stringify(await vault.openToken(toOpen));
      },
    },
    {
      path: cardPaths.reveal,
      callers: internalCallers['vault.reveal'],
      answer: async (parameters) => JSON.stringify(await revealed(vault, parameters)),
    },
    {
      path: cardPaths.forget,
      callers: internalCallers['vault.forget'],
      answer: async (parameters) => {
        await vault.forget(referenceIn(parameters));
        return '{}';
      },
    },
  ];
}

async function revealed(vault: Vault, parameters: unknown): Promise<RevealAnswer> {
  try {
    const instrument = await vault.reveal(referenceIn(parameters), useIn(parameters));
    return instrument ? { instrument: detailsMessage(instrument) } : {};
  } catch (error) {
    if (error instanceof RegistrationForgotten) return { isRegistrationForgotten: true };
    throw error;
  }
}

/** What is kept for a registration. */
function keptRoutes(vault: KeepingVault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.keep,
      callers: internalCallers['vault.keep'],
      answer: async (parameters) => {
        const kept = await vault.keep(toKeepIn(parameters));
        return JSON.stringify(kept === undefined ? {} : { kept });
      },
    },
    {
      path: cardPaths.changeKept,
      callers: internalCallers['vault.changeKept'],
      answer: async (parameters) =>
        JSON.stringify({ isChanged: await vault.changeKept(changeIn(parameters)) }),
    },
    {
      path: cardPaths.forgetKept,
      callers: internalCallers['vault.forgetKept'],
      answer: async (parameters) => {
        await vault.forgetKept(registrationIdIn(parameters));
        return '{}';
      },
    },
  ];
}

/** What is kept for an order in a file. */
function orderRoutes(vault: BankAccountVault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.keepBankAccount,
      callers: internalCallers['vault.keepBankAccount'],
      answer: async (parameters) => {
        const toKeep = {
          heldReference: heldReferenceIn(parameters),
          orderId: orderIdIn(parameters),
        };
        return JSON.stringify({ isKept: await vault.keepBankAccount(toKeep) });
      },
    },
    {
      path: cardPaths.revealBankAccount,
      callers: internalCallers['vault.revealBankAccount'],
      answer: async (parameters) => {
        const revealed = await vault.revealBankAccount(orderIdIn(parameters));
        return JSON.stringify(revealed ? { instrument: detailsMessage(revealed) } : {});
      },
    },
    {
      path: cardPaths.forgetBankAccount,
      callers: internalCallers['vault.forgetBankAccount'],
      answer: async (parameters) => {
        await vault.forgetBankAccount(orderIdIn(parameters));
        return '{}';
      },
    },
  ];
}

/** What authentications of shoppers need. */
function authenticationRoutes(vault: AuthenticationVault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.revealNumber,
      callers: internalCallers['vault.revealNumber'],
      answer: async (parameters) => {
        const number = await vault.revealNumber(referenceIn(parameters));
        return JSON.stringify(number === undefined ? {} : clearDetails({ number }));
      },
    },
    {
      path: cardPaths.holdProof,
      callers: internalCallers['vault.holdProof'],
      answer: async (parameters) =>
        JSON.stringify({ reference: await vault.holdProof(cryptogramIn(parameters)) }),
    },
    {
      path: cardPaths.revealProof,
      callers: internalCallers['vault.revealProof'],
      answer: async (parameters) => {
        const cryptogram = await vault.revealProof(referenceIn(parameters));
        return JSON.stringify(cryptogram === undefined ? {} : clearDetails({ cryptogram }));
      },
    },
  ];
}

function cryptogramIn(parameters: unknown): Detail {
  const { cryptogram } = (parameters ?? {}) as { readonly cryptogram?: unknown };
  if (typeof cryptogram !== 'string') throw new MalformedRequest('no cryptogram');
  return new Detail(cryptogram);
}

function useIn(parameters: unknown): 'last' | undefined {
  const { use } = (parameters ?? {}) as { readonly use?: unknown };
  if (use !== undefined && use !== 'last') throw new MalformedRequest('unknown use');
  return use;
}

/** Of a registration, and of an order. */
const KEPT_FOR = /^[0-9a-f]{32}$/;

function toKeepIn(parameters: unknown): DetailsToKeep {
  const { merchantId } = (parameters ?? {}) as { readonly merchantId?: unknown };
  if (typeof merchantId !== 'string') throw new MalformedRequest('nothing to keep');
  const heldReference = heldReferenceIn(parameters);
  const registrationId = registrationIdIn(parameters);
  return { heldReference, merchantId, registrationId, ...scopeIn(parameters) };
}

/** A release before this one names none. */
function scopeIn(parameters: unknown): Pick<DetailsToKeep, 'scope' | 'mayBeExisting'> {
  const { scope, mayBeExisting } = (parameters ?? {}) as Readonly<Record<string, unknown>>;
  if (scope === undefined && mayBeExisting === undefined) return {};
  if (typeof scope !== 'string' || (mayBeExisting !== undefined && mayBeExisting !== true)) {
    throw new MalformedRequest('no scope');
  }
  return { scope, ...(mayBeExisting === true && { mayBeExisting }) };
}

function changeIn(parameters: unknown): KeptChange {
  const { revision, expiry } = (parameters ?? {}) as Readonly<Record<string, unknown>>;
  const { month, year } = (expiry ?? {}) as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(revision) || typeof month !== 'string' || typeof year !== 'string') {
    throw new MalformedRequest('nothing to change');
  }
  const registrationId = registrationIdIn(parameters);
  return { registrationId, revision: revision as number, expiry: { month, year } };
}

function registrationIdIn(parameters: unknown): string {
  const { registrationId } = (parameters ?? {}) as { readonly registrationId?: unknown };
  if (typeof registrationId !== 'string' || !KEPT_FOR.test(registrationId)) {
    throw new MalformedRequest('no registration');
  }
  return registrationId;
}

function orderIdIn(parameters: unknown): string {
  const { orderId } = (parameters ?? {}) as { readonly orderId?: unknown };
  if (typeof orderId !== 'string' || !KEPT_FOR.test(orderId)) {
    throw new MalformedRequest('no order');
  }
  return orderId;
}

function heldReferenceIn(parameters: unknown): string {
  const { heldReference } = (parameters ?? {}) as { readonly heldReference?: unknown };
  if (typeof heldReference !== 'string') throw new MalformedRequest('nothing to keep');
  return heldReference;
}

function referenceIn(parameters: unknown): string {
  const { reference } = (parameters ?? {}) as { readonly reference?: unknown };
  if (typeof reference !== 'string') throw new MalformedRequest('no reference');
  return reference;
}
