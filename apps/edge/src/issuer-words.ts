import type { IssuerWordsAnswer, IssuerWordsQuery, ShownAuthentication } from '@sluice/contracts';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { Refused } from './answer.js';

interface Authenticated {
  readonly authentication?: ShownAuthentication;
}

/**
 * These with what issuers have to say to their shoppers in clear: everybody else has it sealed, and risk opens it.
 * Where risk cannot be asked, and once a payment is forgotten, it is left out: no answer about money waits for it.
 */
export async function withIssuerWords<Each extends object>(
  queries: Queries,
  all: readonly Each[],
): Promise<readonly Each[]> {
  const sealed = all.flatMap((each) => sealedIn(each) ?? []);
  if (sealed.length === 0) return all;
  const texts = await opened(queries, sealed);
  return all.map((each) => {
    const { authentication } = each as Authenticated;
    if (authentication?.cardholderInfo === undefined) return each;
    const { cardholderInfo, ...others } = authentication;
    const text = texts.get(cardholderInfo);
    const shown = { ...others, ...(text !== undefined && { cardholderInfo: text }) };
    return { ...each, authentication: shown };
  });
}

function sealedIn(each: object): string | undefined {
  return (each as Authenticated).authentication?.cardholderInfo;
}

async function opened(
  queries: Queries,
  sealed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  try {
    const query: IssuerWordsQuery = { sealed };
    const { texts } = await queries.ask<IssuerWordsAnswer>('risk', 'risk.issuerWords', query);
    return new Map(
      sealed.flatMap((one, at) => {
        const text = texts[at] ?? undefined;
        return text === undefined ? [] : [[one, text] as const];
      }),
    );
  } catch (error) {
    if (error instanceof QueryUnavailable || error instanceof Refused) return new Map();
    throw error;
  }
}
