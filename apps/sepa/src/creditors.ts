import { isCreditorId, type SepaParty } from '@sluice/connectors';
import type { Mode } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { SettingsError } from '@sluice/service';
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { readFile } from 'node:fs/promises';
import type { SepaSettings } from './settings.js';

/** Whose account money comes to, and goes from. */
export interface Creditor {
  readonly name: string;
  readonly party: SepaParty;
  /** By which SEPA knows who collects; without one there are no direct debits. */
  readonly creditorId?: string;
  /** Whether its files move money: orders of tests never get into them, and no others into the rest. */
  readonly isLive: boolean;
}

const NAME = /^[a-z0-9-]{1,32}$/;
const FILE = 'SEPA_CREDITORS_FILE';

/** The account is an example of a bank's own documents. */
const demo: Creditor = {
  name: 'demo',
  party: { name: 'Sluice Demo Shop', iban: new Detail('DE89370400440532013000') },
  creditorId: 'DE98ZZZ09999999999',
  isLive: false,
};

/** The creditors of an installation, by name. */
export type Creditors = ReadonlyMap<string, Creditor>;

/** @throws SettingsError that names the creditor, and never its account */
export async function creditorsOf({
  creditorsFile,
  demoCreditor,
}: Pick<SepaSettings, 'creditorsFile' | 'demoCreditor'>): Promise<Creditors> {
  const told = creditorsFile === undefined ? [] : creditorsIn(await textOf(creditorsFile));
  return new Map([...(demoCreditor ? [demo] : []), ...told].map((each) => [each.name, each]));
}

/** Whether orders of this mode may go into its files. */
export function takesMode({ isLive }: Creditor, mode: Mode): boolean {
  return isLive === (mode === 'LIVE');
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`The file that ${FILE} names cannot be read.`, { cause: error });
  }
}

/** `{"creditors": {"books": {"name": …, "iban": …, "bic": …, "creditorId": …, "isLive": …}}}` */
export function creditorsIn(text: string): readonly Creditor[] {
  const { creditors } = objectIn(parsed(text));
  return Object.entries(objectIn(creditors)).map(([name, told]) => creditorIn(name, told));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the parser's error, which quotes what it could not read.
    throw refused('is no JSON');
  }
}

function creditorIn(key: string, told: unknown): Creditor {
  const { name, iban, bic, creditorId, isLive, ...others } = objectIn(told);
  const refuse = (what: string): SettingsError => refused(`${what}, of the creditor "${key}"`);
  if (!NAME.test(key)) throw refused('names a creditor with other letters than a-z, 0-9 and -');
  if (typeof name !== 'string' || name === '') throw refuse('has no name');
  const account = typeof iban === 'string' ? electronicFormatIBAN(iban) : null;
  if (account === null || !isValidIBAN(account)) throw refuse('has no valid IBAN');
  if (bic !== undefined && (typeof bic !== 'string' || !isValidBIC(bic))) {
    throw refuse('has no valid BIC');
  }
  if (creditorId !== undefined && (typeof creditorId !== 'string' || !isCreditorId(creditorId))) {
    throw refuse('has no valid creditor identifier');
  }
  if (typeof isLive !== 'boolean') throw refuse('does not say whether it "isLive"');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(`has the unknown field "${unknown}"`);
  return {
    name: key,
    party: { name, iban: new Detail(account), ...(bic !== undefined && { bic }) },
    ...(creditorId !== undefined && { creditorId }),
    isLive,
  };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('must be {"creditors": {"<name>": {…}}}');
  }
  return value as Readonly<Record<string, unknown>>;
}

function refused(what: string): SettingsError {
  return new SettingsError(`The file that ${FILE} names ${what}.`);
}
