// The parts of the specs of sepa; no other file imports it.
import type {
  BankAccountToKeep,
  BankAccountVault,
  BankReturnAnswer,
  BankReturnQuery,
  OrderAnswer,
  PlaceOrderQuery,
  RevealedInstrument,
} from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { InProcessBus, type Queries, QueryUnavailable } from '@sluice/messaging';
import { Detail } from '@sluice/secrets';
import { createLogger, ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SepaModule } from '../src/index.js';

/** Of the shopper; it must be in files for the bank, and nowhere else. */
export const IBAN = 'NL91ABNA0417164300';
export const HOLDER = 'Jane Jones';
/** A Tuesday, before the cut-off. */
export const MORNING = '2026-11-24T09:00:00Z';
export const AFTERNOON = '2026-11-24T14:00:00Z';

/** A vault in a map, which can be away. */
export class FakeVault implements BankAccountVault {
  readonly kept = new Map<string, RevealedInstrument>();
  isAway = false;
  holdsNothing = false;

  async keepBankAccount({ heldReference, orderId }: BankAccountToKeep) {
    this.#ask();
    if (this.holdsNothing) return false;
    this.kept.set(orderId, accountNamed(heldReference));
    return true;
  }

  async revealBankAccount(orderId: string) {
    this.#ask();
    return this.kept.get(orderId);
  }

  async forgetBankAccount(orderId: string) {
    this.#ask();
    this.kept.delete(orderId);
  }

  #ask(): void {
    if (this.isAway) throw new Error('the vault is away');
  }
}

function accountNamed(heldReference: string): RevealedInstrument {
  const details = {
    ...{ iban: IBAN, holder: HOLDER, descriptor: `Order ${heldReference}` },
    ...{ 'mandate.id': 'MANDATE-ONE', 'mandate.dateOfSignature': '2026-03-02' },
  };
  return {
    kind: 'bankAccount',
    details: Object.fromEntries(
      Object.entries(details).map(([name, text]) => [`bankAccount.${name}`, new Detail(text)]),
    ),
  };
}

/** Payments that answer what they are told here, and can be away. */
export class FakePayments implements Queries {
  readonly asked: BankReturnQuery[] = [];
  answer: BankReturnAnswer = { kind: 'recorded' };
  isAway = false;

  ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    if (this.isAway) return Promise.reject(new QueryUnavailable(query, 'noService'));
    this.asked.push(parameters as BankReturnQuery);
    return Promise.resolve(this.answer as Answer);
  }
}

/** A database and a folder, which processes of sepa share one after the other. */
export class SepaWorld {
  readonly vault = new FakeVault();
  readonly payments = new FakePayments();
  /** What the processes take for the time. */
  nowMs = Date.parse(MORNING);
  /** How far clocks of entities are ahead. */
  readonly ahead = new Map<string, number>();
  readonly #running: { close(): Promise<void> }[] = [];
  readonly #logged: string[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly own: ServiceDatabase,
    readonly folder: string,
    /** As the database's administrator. */
    readonly pool: pg.Pool,
  ) {}

  static async open(): Promise<SepaWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-sepa-'));
    const database = await startTestDatabase();
    const own = (await ensureRolesAndSchema(database.url, ['sepa'])).sepa;
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    return new SepaWorld(database, own, folder, pool);
  }

  async endProcesses(): Promise<void> {
    for (const each of this.#running.splice(0)) await each.close();
  }

  async close(): Promise<void> {
    await this.endProcesses();
    await this.pool.end();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** A process that does nothing by itself before an hour is over. */
  async start() {
    const bus = new InProcessBus({ drainMs: 1 });
    const destination = { write: (line: string) => void this.#logged.push(line) };
    const logger = createLogger({ service: 'sepa', level: 'debug', destination });
    const { appUrl: databaseUrl, ownerUrl: ownerDatabaseUrl, schema } = this.own;
    const service = await SepaModule.start({
      settings: {
        ...{ databaseUrl, ownerDatabaseUrl, schema, folder: this.folder, demoCreditor: true },
        lookEveryMs: 3_600_000,
      },
      ...{ vault: this.vault, queries: this.payments, logger },
      clock: { now: () => this.nowMs, monotonicMs: () => performance.now() },
      setClocks: { aheadMs: (id) => this.ahead.get(id) ?? 0, all: () => this.ahead },
      transport: bus.transport('sepa'),
    });
    this.#running.push(service);
    return {
      look: () => service.look(),
      nextDueMs: (entityId: string) => service.nextDueMs(entityId),
      doWhatIsDue: (entityId: string) => service.doWhatIsDue(entityId, Infinity),
      close: () => service.close(),
      place: (query: PlaceOrderQuery) =>
        bus.queries.ask<OrderAnswer>('sepa', 'sepa.placeOrder', query),
      order: (reference: string) =>
        bus.queries.ask<OrderAnswer>('sepa', 'sepa.order', { reference }),
      cancel: (reference: string) =>
        bus.queries.ask<OrderAnswer>('sepa', 'sepa.cancelOrder', { reference }),
    };
  }

  logged(): string {
    return this.#logged.join('');
  }

  /** The names of the files for the bank. */
  async outgoing(): Promise<readonly string[]> {
    return (await readdir(join(this.folder, 'outgoing'))).sort();
  }

  readOutgoing(name: string): Promise<string> {
    return readFile(join(this.folder, 'outgoing', name), 'utf8');
  }

  /** What has become of files of the bank. */
  async incoming(place: 'read' | 'refused'): Promise<readonly string[]> {
    return readdir(join(this.folder, 'incoming', place));
  }

  /** Puts a file there as whoever brings it should: whole. */
  async bring(name: string, content: string | Uint8Array): Promise<void> {
    const unfinished = join(this.folder, 'incoming', `.${name}`);
    await writeFile(unfinished, content);
    await rename(unfinished, join(this.folder, 'incoming', name));
  }

  async rows<Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  async stateOf(reference: string): Promise<string | undefined> {
    const text = 'SELECT state FROM sepa.orders WHERE reference = $1';
    return (await this.rows<{ state: string }>(text, [reference]))[0]?.state;
  }

  async cases(): Promise<readonly string[]> {
    const rows = await this.rows<{ kind: string }>('SELECT kind FROM sepa.cases ORDER BY id');
    return rows.map(({ kind }) => kind);
  }

  /** Everything in the tables, as text. */
  async everything(): Promise<string> {
    const tables = ['orders', 'files', 'cases', 'read_files'];
    const all = await Promise.all(tables.map((table) => this.rows(`SELECT * FROM sepa.${table}`)));
    return JSON.stringify(all);
  }
}

/** A debit of 92 euros. */
export function debit(more: Partial<PlaceOrderQuery> = {}): PlaceOrderQuery {
  const reference = newTransactionId(Date.parse(MORNING));
  return {
    ...{ reference, operation: 'debit', mode: 'EXTERNAL', creditor: 'demo', sequence: 'OOFF' },
    ...{ amount: { minor: '9200', currency: 'EUR' }, heldReference: 'held-1' },
    ...more,
  };
}

/** One that refers to another. */
export function referring(
  operation: 'capture' | 'refund' | 'reversal',
  originalReference: string,
  minor = '9200',
): PlaceOrderQuery {
  const { heldReference: _, sequence: __, ...rest } = debit();
  return { ...rest, operation, originalReference, amount: { minor, currency: 'EUR' } };
}

const NOTIFICATION = 'urn:iso:std:iso:20022:tech:xsd:camt.054.001.08';

/** The bank's notification that a payment came back; valid by the published schema. */
export function notification(
  reference: string,
  { amount = '92.00', reason = 'AM04', direction = 'DBIT', id = 'N-1' } = {},
): string {
  const account = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>';
  const code = '<BkTxCd><Prtry><Cd>RETURN</Cd></Prtry></BkTxCd>';
  const details =
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>` +
    `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>` +
    `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf></TxDtls>`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${NOTIFICATION}">` +
    `<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-27T08:00:00Z</CreDtTm></GrpHdr>` +
    `<Ntfctn><Id>${id}</Id>${account}` +
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${code}` +
    `<NtryDtls>${details}</NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`
  );
}

/** The same of camt.053, a statement. */
export function statement(reference: string): string {
  return notification(reference)
    .replaceAll('camt.054', 'camt.053')
    .replaceAll('BkToCstmrDbtCdtNtfctn', 'BkToCstmrStmt')
    .replaceAll('Ntfctn', 'Stmt')
    .replace(
      '<Ntry>',
      '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt>' +
        '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt></Bal><Ntry>',
    );
}

/** The bank's word about a file of direct debits: what it says of all, and of one order. */
export function statusReport(
  messageId: string,
  { group = 'PART', batch = '', reference = '', status = 'RJCT', reason = 'AC04' } = {},
): string {
  const transaction =
    reference === ''
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${batch}</OrgnlPmtInfId><TxInfAndSts>` +
        `<OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>` +
        `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>' +
    '<GrpHdr><MsgId>R-1</MsgId><CreDtTm>2026-11-25T08:00:00Z</CreDtTm></GrpHdr>' +
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId>` +
    `<OrgnlMsgNmId>pain.008.001.08</OrgnlMsgNmId><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>` +
    `${transaction}</CstmrPmtStsRpt></Document>`
  );
}
