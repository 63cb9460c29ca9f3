import { internalCallers, type Vault } from '@sluice/contracts';
import { cardPaths, readCardRequest, shownCard } from '@sluice/messaging';
import { type InternalRoute, MalformedRequest } from '@sluice/service';

/** The vault on its internal port: who may do what stands in contracts (D-44). */
export function cardRoutes(vault: Vault): readonly InternalRoute[] {
  return [
    {
      path: cardPaths.hold,
      callers: internalCallers['vault.hold'],
      answer: async (parameters) => {
        const card = readCardRequest(parameters);
        if (card === undefined) throw new MalformedRequest('no card');
        return JSON.stringify(await vault.hold(card));
      },
    },
    {
      path: cardPaths.reveal,
      callers: internalCallers['vault.reveal'],
      answer: async (parameters) => {
        const card = await vault.reveal(referenceIn(parameters));
        return JSON.stringify(card === undefined ? {} : { card: shownCard(card) });
      },
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

function referenceIn(parameters: unknown): string {
  const { reference } = (parameters ?? {}) as { readonly reference?: unknown };
  if (typeof reference !== 'string') throw new MalformedRequest('no reference');
  return reference;
}
