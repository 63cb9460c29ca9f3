import { outcomeOf, resultCodes } from './catalogue.js';
import { groups } from './groups.js';
import { endStatusesOf } from './http-status.js';
import { retryOf } from './retry.js';

const regexCell = (pattern: RegExp): string => pattern.source.replaceAll('|', String.raw`\|`);

/** The result-code reference as Markdown: the groups, then every code. Generated, never edited. */
export function referenceTable(): string {
  const groupRows = groups.map(({ name, meaning, outcome, pattern }) => {
    const count = resultCodes.filter((row) => row.group === name).length;
    return `| ${name} | ${meaning} | ${outcome} | \`${regexCell(pattern)}\` | ${count} |`;
  });
  const codeRows = resultCodes.map(({ code, description, group }) => {
    const retry = outcomeOf(code) === 'rejected' ? retryOf(code) : '';
    return `| ${code} | ${description} | ${group} | ${endStatusesOf(code).join(', ')} | ${retry} |`;
  });
  return [
    '# Result codes',
    '',
    'Generated from `libs/result-codes` by `npm run generate`; do not edit.',
    '',
    '## Groups',
    '',
    'Classify by these expressions, never by description; new codes appear inside the groups.',
    '',
    '| Group | Meaning | Outcome | Expression | Codes |',
    '|---|---|---|---|---|',
    ...groupRows,
    '',
    '## Codes',
    '',
    'HTTP is the status of the answer to the request that ends with the code; where there are two, 401 is',
    'for an access header that is missing or malformed and 403 for one that is not accepted. A payment',
    'that the other side ended with a code of 401, 403, 404, 500 or 503 is answered with 400 like any',
    'other that failed, and reading it later with 200 like any transaction that is found.',
    '',
    'Retry: `throughThreeDSecure`, `later`, `askFirst` (the outcome is unknown: query), `safe` (nothing',
    'was executed), `afterCorrection`, `followAdvice` (merchant advice code), `never`, `unspecified`',
    '(treat as a hard decline).',
    '',
    '| Code | Description | Group | HTTP | Retry |',
    '|---|---|---|---|---|',
    ...codeRows,
    '',
  ].join('\n');
}
