import { internalCallers, type Vault } from '@sluice/contracts';
import { cardPaths, detailsMessage, readDetailsMessage } from '@sluice/messaging';
import { type InternalRoute, MalformedRequest } from '@sluice/service';

/** The vault on its internal port: who may call which route is in contracts (D-44). */
export function detailRoutes(vault: Vault): readonly InternalRoute[] {
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
      path: cardPaths.reveal,
      callers: internalCallers['vault.reveal'],
      answer: async (parameters) => {
        const revealed = await vault.reveal(referenceIn(parameters), useIn(parameters));
        return JSON.stringify(revealed ? { instrument: detailsMessage(revealed) } : {});
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

function useIn(parameters: unknown): 'last' | undefined {
  const { use } = (parameters ?? {}) as { readonly use?: unknown };
  if (use !== undefined && use !== 'last') throw new MalformedRequest('unknown use');
  return use;
}

function referenceIn(parameters: unknown): string {
  const { reference } = (parameters ?? {}) as { readonly reference?: unknown };
  if (typeof reference !== 'string') throw new MalformedRequest('no reference');
  return reference;
}
