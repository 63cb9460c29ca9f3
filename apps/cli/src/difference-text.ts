import type { Difference, RowDifference } from '@sluice/projections';
import { durationText } from './durations.js';
import { counted } from './progress.js';
import { shown } from './text-table.js';

/** Columns whose content belongs to a person; that they differ is said, not how. */
const HIDDEN: ReadonlySet<string> = new Set(['personal']);
const VALUE_CHARACTERS_MAX = 60;

/** What a comparison found: a sentence, and the first differences column by column. */
export function differenceText({
  streamsCompared,
  differences,
  examples,
  durationMs,
}: Difference): string {
  const compared = `${counted(streamsCompared, 'payment')} compared in ${durationText(durationMs)}`;
  if (differences === 0) return `${compared}: no difference.`;
  const more = differences > examples.length ? `\n… and ${differences - examples.length} more` : '';
  return `${compared}: ${counted(differences, 'difference')}.\n${examples.map(exampleText).join('\n')}${more}`;
}

function exampleText({ key, streamId, kind, left, right }: RowDifference): string {
  const head = `  ${shown(key)} of payment ${shown(streamId)}`;
  if (left === undefined) return `${head}: only in the new tables`;
  if (right === undefined) return `${head}: only in the live tables`;
  if (kind === 'version') return `${head}: one of the two never got as far as the other`;
  const columns = Object.keys(left).filter((name) => left[name] !== right[name]);
  const lines = columns.map((name) =>
    HIDDEN.has(name)
      ? `    ${name} differs`
      : `    ${name}: ${valueText(left[name])} (live), ${valueText(right[name])} (new)`,
  );
  return [`${head}:`, ...lines].join('\n');
}

function valueText(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  const text = shown(value);
  return text.length <= VALUE_CHARACTERS_MAX ? text : `${text.slice(0, VALUE_CHARACTERS_MAX)}…`;
}
