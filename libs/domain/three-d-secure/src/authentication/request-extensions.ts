import { extension } from './message-extension.js';
import type { RequestFacts } from './request-facts.js';
import { testWishes } from './test-wishes.js';

/** Of the national network what it wants to know, and in test mode what the test wants of the issuer. */
export function extensionsOf({ query, network }: RequestFacts): readonly object[] | undefined {
  const extensions = [
    ...(network === 'cartebancaire' ? schemeData(query.parameters) : []),
    ...(query.mode === 'LIVE' ? [] : testWishes(query.parameters)),
  ];
  return extensions.length > 0 ? extensions : undefined;
}

const SCHEME_DATA = /^threeDSecure\.schemeData\[(CB-[A-Z_]+)\]$/u;

function schemeData(parameters: Readonly<Record<string, string>>): readonly object[] {
  const data = Object.entries(parameters).flatMap(([name, value]) => {
    const key = SCHEME_DATA.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return data.length === 0 ? [] : [extension('CB', 'A000000042', Object.fromEntries(data))];
}
