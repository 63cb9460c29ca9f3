import type { Connector, RequestParameters } from '@sluice/connectors';
import {
  installationAddress,
  type MerchantAccount,
  type MerchantAccountId,
  type Mode,
  type ShownInstrument,
} from '@sluice/contracts';
import {
  type ConnectorRules,
  initialTransaction,
  type PaymentState,
  type RecoveryCapabilities,
  type Transaction,
} from '@sluice/domain-payments';
import type { Reading } from '@sluice/service';
import { INSTALLMENTS, parametersTaken, type TakeParameters } from '@sluice/parameters';
import type { AccountConnectors } from './account-connectors.js';
import type { OpenedCommand } from './payment-commands.js';

/** What a connector that is not configured can do: nothing. */
const NOTHING: RecoveryCapabilities & ConnectorRules = {
  canInquire: false,
  canReverse: false,
  partialReversal: false,
  incrementalAuthorization: false,
  reauthorization: false,
  maxInFlightMs: 0,
  reversalCutOffMs: () => 0,
};

const NOTHING_PERSONAL: Readonly<Record<string, string>> = {};

/** The connector that plays all acquirers in the mode INTERNAL; it is no way to real money. */
export const SIMULATOR = 'simulator';

/** Whether an acquirer takes an instrument, and the wallet that it may have come in. */
export function takesInstrument({ capabilities }: Connector, instrument: ShownInstrument): boolean {
  const { instruments, takesWallets = false } = capabilities;
  return instruments.includes(instrument.kind) && (takesWallets || !('wallet' in instrument));
}

/**
 * Whether an acquirer is told in how many installments a payment is made: one that is not would charge
 * all of it at once. Nothing but a card has an issuer who lets its shopper pay so.
 */
export function takesInstallments({ takes }: Connector, { kind }: ShownInstrument): boolean {
  return kind === 'card' && takes.includes(INSTALLMENTS);
}

/** What a payment asks of whoever is to take it. */
export interface AskedOfAcquirer {
  readonly instrument: ShownInstrument;
  readonly inInstallments: boolean;
}

function takesPayment(
  connector: Connector,
  { instrument, inInstallments }: AskedOfAcquirer,
): boolean {
  const isTaken = takesInstrument(connector, instrument);
  return isTaken && (!inInstallments || takesInstallments(connector, instrument));
}

/** The connectors of this installation, and how many calls each has under way. */
export class Connectors {
  readonly #byName: ReadonlyMap<string, Connector>;
  /** By the name of a connector, which says what it takes. */
  readonly #taken = new Map<string, TakeParameters>();
  readonly #underWay = new Map<Connector, number>();
  /** Of the installation's own ones, by name and the acquirer's id of the merchant. */
  readonly #ofMerchants = new Map<string, Connector>();
  /** Those that close when their calls are over. */
  readonly #retired = new Set<Connector>();

  /** @throws TypeError when a connector takes a parameter that no request can bring to it */
  constructor(
    /**
     * Those of the installation's own settings. Without routes the first that takes an instrument gets
     * its new payments; without any, no acquirer is asked.
     */
    private readonly all: readonly Connector[],
    /** The number of places in the bulkhead of each. */
    readonly callsMax: number,
    /** Those of merchant accounts; absent: merchants have none. */
    private readonly ofAccounts?: AccountConnectors,
  ) {
    this.#byName = new Map(all.map((connector) => [connector.name, connector]));
    for (const { name, takes } of all) this.#taken.set(name, parametersTaken(takes));
  }

  /** Whether this installation leads to no acquirer. */
  get isNone(): boolean {
    return this.all.length === 0;
  }

  /** Where a new payment goes in an installation without routes, if anybody takes it. */
  withoutRoute(payment: AskedOfAcquirer): Connector | undefined {
    return this.all.find((connector) => takesPayment(connector, payment));
  }

  /** The simulator, if this installation has it and it takes the payment. */
  simulatorFor(payment: AskedOfAcquirer): Connector | undefined {
    const simulator = this.#byName.get(SIMULATOR);
    return simulator && takesPayment(simulator, payment) ? simulator : undefined;
  }

  /** The connector of a merchant account in a mode; undefined if it cannot be used. */
  ofAccount(account: MerchantAccount, mode: Mode): Connector | undefined {
    if (mode === 'INTERNAL') return this.#byName.get(SIMULATOR);
    if (account.connector === SIMULATOR && mode === 'LIVE') return undefined;
    const endpoint = account.endpoints[mode];
    const isInstallations = endpoint?.address === installationAddress(account.connector);
    return isInstallations
      ? this.#ofMerchant(account.connector, endpoint.acquirerMerchantId)
      : this.ofAccounts?.connectorOf(account, mode);
  }

  /** The installation's own connector, for the merchant of an account where it tells them apart. */
  #ofMerchant(name: string, acquirerMerchantId: string): Connector | undefined {
    const whole = this.#byName.get(name);
    if (whole?.ofMerchant === undefined) return whole;
    const key = `${name} ${acquirerMerchantId}`;
    const known = this.#ofMerchants.get(key) ?? whole.ofMerchant(acquirerMerchantId);
    this.#ofMerchants.set(key, known);
    return known;
  }

  /**
   * The connector of a payment, if it is still configured, with the merchant account that the payment
   * has taken; references to the payment go there too.
   */
  ofPayment(state: PaymentState): Connector | undefined {
    return state.kind === 'none' ? this.all[0] : this.#ofTransaction(initialTransaction(state));
  }

  #ofTransaction({ request, route, metadata }: Transaction): Connector | undefined {
    if (request === undefined) return this.all[0];
    const id = route?.merchantAccountId;
    if (id === undefined || metadata.mode === 'INTERNAL') {
      return this.#byName.get(request.connector);
    }
    const account = this.ofAccounts?.accountOf(id);
    // An account of this id at another acquirer knows nothing of the payment.
    return account?.connector === request.connector
      ? this.ofAccount(account, metadata.mode)
      : undefined;
  }

  /** What that connector can do. */
  capabilitiesFor(state: PaymentState): RecoveryCapabilities & ConnectorRules {
    return this.ofPayment(state)?.capabilities ?? NOTHING;
  }

  /** What a connector takes of a command's parameters; undefined if none of it was sent. */
  parametersFor(
    { name, takes }: Connector,
    { parameters, personal }: Pick<OpenedCommand['data'], 'parameters' | 'personal'>,
  ): RequestParameters | undefined {
    let take = this.#taken.get(name);
    if (take === undefined) {
      take = parametersTaken(takes);
      this.#taken.set(name, take);
    }
    return take(parameters, personal ?? NOTHING_PERSONAL);
  }

  /**
   * Takes a place in the connector's bulkhead, so that a slow acquirer neither uses unbounded
   * memory nor holds up other connectors (D-12). False when it is full.
   */
  enter(connector: Connector): boolean {
    const underWay = this.#underWay.get(connector) ?? 0;
    if (underWay >= this.callsMax) return false;
    this.#underWay.set(connector, underWay + 1);
    return true;
  }

  /** How many calls each has under way; of several merchant accounts, the fullest one counts. */
  open(): readonly Reading<'connector'>[] {
    const names = new Set([...this.all, ...this.#underWay.keys()].map(({ name }) => name));
    return [...names].map((connector) => {
      const ofName = [...this.#underWay].filter(([{ name }]) => name === connector);
      return { labels: { connector }, value: Math.max(0, ...ofName.map(([, calls]) => calls)) };
    });
  }

  /** Gives the place back. */
  leave(connector: Connector): void {
    const left = (this.#underWay.get(connector) ?? 1) - 1;
    if (left > 0 || this.all.includes(connector)) this.#underWay.set(connector, left);
    else this.#underWay.delete(connector);
    if (left === 0 && this.#retired.delete(connector)) void connector.close();
  }

  /** From now on merchants have these accounts. */
  useAccounts(accounts: ReadonlyMap<MerchantAccountId, MerchantAccount>): void {
    this.ofAccounts?.update(accounts);
  }

  /** Closes a connector that gets no new calls, when those under way are over. */
  retire(connector: Connector): void {
    if (this.#underWay.has(connector)) this.#retired.add(connector);
    else void connector.close();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const accounts = this.ofAccounts?.all ?? [];
    const every = [...this.all, ...accounts, ...this.#retired];
    await Promise.all(every.map((connector) => connector.close()));
  }
}
