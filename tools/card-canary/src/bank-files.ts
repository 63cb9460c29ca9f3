import type { SeededRandom } from '@sluice/testing';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CanaryAccount, canaryRequest, type Form } from './canary-requests.js';
import type { Leak } from './leak-scanner.js';
import { type CanaryAnswer, sendAll } from './send.js';

/*
 * Direct debits and credits in files for a bank. A file for the bank has the account in clear, and so
 * have the files of the bank; both are in one folder, and nothing else may have it.
 */

/** The folder of both, below the data folder. */
const BANK_FOLDER = 'sepa';
/** So often the sandbox makes files: the next one is soon there. */
export const GATHER_MS = 200;
/** A file of a machine that does many other things is there within this. */
const WAIT_MS = 30_000;
const LOOK_MS = 50;

/** A bank account that exists only to be found again wherever it should not be. */
export interface CanaryBankAccount {
  readonly iban: string;
  /** All but the country and the check digits. */
  readonly digits: string;
  readonly holder: string;
  readonly mandate: string;
}

/** A bank code that no issuer of cards begins with: nothing takes these for card numbers and masks them. */
const BANK = '10';
const DIGITS = 18;
/** ISO 13616: the letters DE as numbers, and two zeros in place of what is looked for. */
const COUNTRY_DIGITS = '131400';

/** German accounts, none like another. */
export function canaryBankAccounts(
  random: SeededRandom,
  count: number,
): readonly CanaryBankAccount[] {
  return Array.from({ length: count }, (_, index) => {
    let digits = BANK;
    while (digits.length < DIGITS) digits += String(random.integer(0, 9));
    const check = 98n - (BigInt(digits + COUNTRY_DIGITS) % 97n);
    const iban = `DE${String(check).padStart(2, '0')}${digits}`;
    const name = String.fromCodePoint(0x41 + index);
    return { iban, digits, holder: `Zebulon ${name}quixworth`, mandate: `QUIX-MANDATE-${name}` };
  });
}

/** The same seed file, with a channel that sends payments by bank account to the bank. */
export function seedWithBank(seed: string): string {
  const { channels } = JSON.parse(seed) as { readonly channels: readonly object[] };
  const endpoint = { address: 'installation:sepa', acquirerMerchantId: 'demo' };
  const way = {
    merchantAccounts: [{ name: 'Bank', connector: 'sepa', endpoints: { EXTERNAL: endpoint } }],
    routes: [{ merchantAccount: 'Bank', modes: ['EXTERNAL'], methods: ['DD'] }],
  };
  return JSON.stringify({ channels: channels.map((channel) => ({ ...channel, ...way })) });
}

/** The ways through the files, by what is sent first. */
const WAYS = {
  debited: { paymentType: 'DB' },
  captured: { paymentType: 'PA' },
  credited: { paymentType: 'CD' },
  stored: { paymentType: 'DB', createRegistration: 'true' },
  'declined, in another currency': { paymentType: 'DB', currency: 'USD' },
} as const satisfies Readonly<Record<string, Form>>;

type Way = keyof typeof WAYS;

/** How many accounts that takes. */
export const bankAccountsTotal = Object.keys(WAYS).length;

/** Where the sandbox is, and who pays there. */
export interface BankRun {
  readonly url: string;
  readonly dataFolder: string;
  readonly account: CanaryAccount;
}

const EXTERNAL = { amount: '92.00', currency: 'EUR', testMode: 'EXTERNAL' } as const;
/** At a time that comes within a second, and never again. */
const ONCE = {
  ...{ merchantTransactionId: 'canary-on-a-schedule', 'job.expression': '* * * * * ? *' },
  ...{ 'job.durationUnit': 'SECOND', 'job.durationNumber': '1' },
} as const;
/** In the name of its kind, so that the answers can be found. */
const kindOf = (way: string): string => `by files for a bank, ${way}`;

/**
 * Pays and is paid through files, and is the bank: a debit comes back, in a file that has the account
 * in every place where banks put it, its name included; others are rubbish, or about nobody's order.
 */
export async function payThroughFiles(
  run: BankRun,
  accounts: readonly CanaryBankAccount[],
): Promise<readonly CanaryAnswer[]> {
  const { url, account } = run;
  const ways = Object.keys(WAYS) as Way[];
  const of = Object.fromEntries(ways.map((way, index) => [way, accounts[index]]));
  const answers: CanaryAnswer[] = [];
  const send = async (way: string, form: Form, target?: string): Promise<string> => {
    const request = canaryRequest(account, kindOf(way), form, target);
    const [answer] = await sendAll(url, [request], 1);
    if (answer !== undefined) answers.push(answer);
    return (JSON.parse(answer?.body ?? '{}') as { id?: string }).id ?? '';
  };
  const ids: Record<string, string> = {};
  for (const way of ways) ids[way] = await send(way, { ...debiting(of[way]), ...WAYS[way] });
  const refer = (way: string, id = '', paymentType = ''): Promise<string> =>
    send(way, { amount: '92.00', currency: 'EUR', paymentType }, `/v1/payments/${id}`);
  const capture = await refer('the capture', ids['captured'], 'CP');
  await refer('the refund', capture, 'RF');
  const { debited } = of;
  const registered = registrationIn(answers, kindOf('stored'));
  const target = `/v1/registrations/${registered}/payments`;
  await send('by registration', { ...EXTERNAL, ...WAYS.debited }, target);
  const planned = { ...EXTERNAL, ...ONCE, registrationId: registered, paymentType: 'SD' };
  await send('on a schedule', planned, '/scheduling/v1/schedules');
  const inFiles = ways.filter((way) => !way.startsWith('declined')).map((way) => of[way]?.digits);
  await eventually('the files', async () => {
    const files = await filesForBank(run);
    return inFiles.every((digits) => digits !== undefined && files.includes(digits));
  });
  await bringFiles(run, ids['debited'] ?? '', debited);
  const query = async (target: string): Promise<{ status: number; body: string }> => {
    const { entityId, accessToken } = account;
    const headers = { Authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${url}${target}&entityId=${entityId}`, { headers });
    return { status: answer.status, body: await answer.text() };
  };
  await eventually('the payment on a schedule', async () => {
    const named = `merchantTransactionId=${ONCE.merchantTransactionId}`;
    return (await query(`/v3/query?${named}`)).body.includes('"paymentType":"DB"');
  });
  await eventually('the chargeback', async () => {
    const linked = `${ids['debited'] ?? ''}?includeLinkedTransactions=true`;
    const { status, body } = await query(`/v3/query/${linked}`);
    if (!body.includes('"paymentType":"CB"')) return false;
    answers.push({ kind: kindOf('charged back'), status, head: '', body });
    return true;
  });
  return answers;
}

function debiting(account: CanaryBankAccount | undefined): Form {
  const { iban = '', holder = '', mandate = '' } = account ?? {};
  return {
    ...{ ...EXTERNAL, paymentBrand: 'DIRECTDEBIT_SEPA' },
    ...{ 'bankAccount.holder': holder, 'bankAccount.iban': iban },
    'bankAccount.bic': 'MARKDEF1100',
    ...{ 'bankAccount.mandate.id': mandate, 'bankAccount.mandate.dateOfSignature': '2026-03-02' },
  };
}

function registrationIn(answers: readonly CanaryAnswer[], wanted: string): string {
  const body = answers.find(({ kind }) => kind === wanted)?.body ?? '{}';
  return (JSON.parse(body) as { registrationId?: string }).registrationId ?? '';
}

/** Whether something was found in files for a bank and of it; the data folder is below what was searched. */
export function isInBankFiles({ place }: Leak, dataFolder: string): boolean {
  return place.replace('the name of ', '').startsWith(`${join(dataFolder, BANK_FOLDER)}${sep}`);
}

/** All that the bank would be brought. */
export async function filesForBank({ dataFolder }: Pick<BankRun, 'dataFolder'>): Promise<string> {
  const folder = join(dataFolder, BANK_FOLDER, 'outgoing');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.xml'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

async function bringFiles(
  { dataFolder }: BankRun,
  id: string,
  account: CanaryBankAccount | undefined,
): Promise<void> {
  const { iban = '' } = account ?? {};
  const returned = notification(id, account);
  const files = {
    [`rubbish of ${iban}.xml`]: returned.slice(0, returned.length / 2),
    [`unknown ${iban}.xml`]: notification(iban, account),
    [`return ${iban}.xml`]: returned,
  };
  const incoming = join(dataFolder, BANK_FOLDER, 'incoming');
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(incoming, `.${name}`), text);
    await rename(join(incoming, `.${name}`), join(incoming, name));
  }
  await eventually('all files of the bank read', async () => {
    const entries = await readdir(incoming, { withFileTypes: true });
    return entries.every((entry) => !entry.isFile());
  });
}

/** That a debit came back, with all that a bank may say of whom it was taken from. */
function notification(reference: string, account: CanaryBankAccount | undefined): string {
  const { iban = '', holder = '', mandate = '' } = account ?? {};
  const debtor =
    `<RltdPties><Dbtr><Pty><Nm>${holder}</Nm></Pty></Dbtr>` +
    `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>`;
  const details =
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId><MndtId>${mandate}</MndtId></Refs>` +
    `<Amt Ccy="EUR">92.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>${debtor}` +
    `<RmtInf><Ustrd>${holder} ${iban}</Ustrd></RmtInf>` +
    `<RtrInf><Rsn><Cd>AM04</Cd></Rsn><AddtlInf>${iban}</AddtlInf></RtrInf></TxDtls>`;
  const code = '<BkTxCd><Prtry><Cd>RETURN</Cd></Prtry></BkTxCd>';
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>' +
    '<GrpHdr><MsgId>N-1</MsgId><CreDtTm>2026-11-27T08:00:00Z</CreDtTm></GrpHdr><Ntfctn>' +
    '<Id>N-1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>' +
    '<Ntry><Amt Ccy="EUR">92.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>' +
    `${code}<NtryDtls>${details}</NtryDtls><AddtlNtryInf>${holder} ${iban}</AddtlNtryInf></Ntry>` +
    '</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>'
  );
}

async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + WAIT_MS;
  while (!(await look())) {
    if (performance.now() > endsAtMs) throw new Error(`${what}: not there`);
    await pause(LOOK_MS);
  }
}
