import { readFileSync } from 'node:fs';

/** One parameter as the interface has it. */
export interface InterfaceRow {
  readonly section: string;
  readonly key: string;
  readonly notation: string;
  readonly letter: string;
  /** What the interface calls allowed values: a list, bounds or a sentence. */
  readonly allowed: string;
}

const LIST = new URL('../../../libs/parameters/test/parameters.csv', import.meta.url);

/** What the interface writes `<network>`, and the wallets that it calls A, B and C (D-53). */
const NETWORKS = ['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire'];
const WALLETS = { walletA: 'applePay', walletB: 'googlePay', walletC: 'samsungPay' };

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

/** The interface's list of parameters, under the names that are sent. */
export const interfaceRows: readonly InterfaceRow[] = readFileSync(LIST, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [section = '', key = '', notation = '', letter = '', allowed = ''] = fieldsOf(line);
    return namesOf(key).map((name) => ({ section, key: name, notation, letter, allowed }));
  });
