import { readFileSync } from 'node:fs';
import type { Kind } from '../src/kinds.js';

/** One parameter as the interface has it, under one of the names that stand for it. */
export interface InterfaceRow {
  readonly section: string;
  /** The key of the list; placeholders of networks and wallets are still in it. */
  readonly key: string;
  /** The key of the catalogue. */
  readonly name: string;
  readonly format: string;
  readonly requirement: string;
  readonly values: string;
  /** The kind of request that alone it holds for. */
  readonly kind?: Kind;
}

/** Sections whose rows hold for one kind of request alone, where the same names mean other things. */
const KIND_OF_SECTION: ReadonlyMap<string, Kind> = new Map([
  ['2.19 query', 'query'],
  ['2.19 reporting', 'report'],
]);

const NETWORKS = ['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire'];
const WALLETS = { walletA: 'applePay', walletB: 'googlePay', walletC: 'samsungPay' };

/** The names that stand for one key of the interface (D-53). */
function namesOf(key: string): readonly string[] {
  if (key.includes('<network>')) return NETWORKS.map((name) => key.replace('<network>', name));
  const wallet = Object.entries(WALLETS).find(([placeholder]) => key.startsWith(placeholder));
  return [wallet === undefined ? key : key.replace(...wallet)];
}

/** The fields of a CSV line; quotes are doubled inside quotes. */
function fieldsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), (match) =>
    (match[1] ?? match[2] ?? '').replaceAll('""', '"'),
  );
}

/** The interface's parameters, all of them: the oracle of the catalogue (D-54). */
export const interfaceRows: readonly InterfaceRow[] = readFileSync(
  new URL('parameters.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [section = '', key = '', format = '', requirement = '', values = ''] = fieldsOf(line);
    const kind = KIND_OF_SECTION.get(section);
    const row = { section, key, format, requirement, values, ...(kind !== undefined && { kind }) };
    return namesOf(key).map((name) => ({ ...row, name }));
  });
