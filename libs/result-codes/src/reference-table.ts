import { httpStatusOf, outcomeOf, resultCodes } from './catalogue.js';
import { groups } from './groups.js';
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
    return `| ${code} | ${description} | ${group} | ${httpStatusOf(code)} | ${retry} |`;
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
    'HTTP is the status of a payment answer with the code. Retry: `throughThreeDSecure`, `later`,',
    '`askFirst` (the outcome is unknown: query), `safe` (nothing was executed), `afterCorrection`,',
    '`followAdvice` (merchant advice code), `never`, `unspecified` (treat as a hard decline).',
    '',
    '| Code | Description | Group | HTTP | Retry |',
    '|---|---|---|---|---|',
    ...codeRows,
    '',
  ].join('\n');
}
