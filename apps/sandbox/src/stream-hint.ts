import { SANDBOX_DATA_FOLDER } from '@sluice/local-installation';
import { resolve } from 'node:path';

/** A shell needs no quotes around these. */
const PLAIN_PATH = /^[A-Za-z0-9_./-]+$/u;

/** The command that draws a payment's events, to be copied as it is. */
export function streamHint(sluice: string, transactionId: string, dataFolder: string): string {
  const folder = resolve(dataFolder);
  const data = folder === SANDBOX_DATA_FOLDER ? '' : `--data ${quoted(folder)} `;
  return [
    '',
    'What this payment has become, event by event:',
    `${sluice} ${data}streams show ${transactionId}`,
    '',
  ].join('\n');
}

function quoted(path: string): string {
  return PLAIN_PATH.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
