import type { Connector, RequestParameters } from '@sluice/connectors';
import type { Instrument } from '@sluice/contracts';
import type { ConnectorRules, PaymentState, RecoveryCapabilities } from '@sluice/domain-payments';
import { initialTransaction } from '@sluice/domain-payments';
import type { Reading } from '@sluice/service';
import { parametersTaken, type TakeParameters } from '@sluice/parameters';
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

/** The connectors of this installation, and how many calls each has under way. */
export class Connectors {
  readonly #byName: ReadonlyMap<string, Connector>;
  readonly #taken: ReadonlyMap<string, TakeParameters>;
  readonly #underWay = new Map<string, number>();

  /** @throws TypeError when a connector takes a parameter that no request can bring to it */
  constructor(
    /**
     * The first that takes an instrument gets its new payments; without any, no acquirer is asked.
     */
    private readonly all: readonly Connector[],
    /** The number of places in the bulkhead of each. */
    readonly callsMax: number,
  ) {
    this.#byName = new Map(all.map((connector) => [connector.name, connector]));
    this.#taken = new Map(all.map(({ name, takes }) => [name, parametersTaken(takes)]));
  }

  /** Where a new payment goes, if anywhere takes its instrument; routing by channel will decide here. */
  forNewPayment(instrument: Instrument): Connector | undefined {
    const isOfWallet = 'wallet' in instrument;
    return this.all.find(
      ({ capabilities: { instruments, takesWallets = false } }) =>
        instruments.includes(instrument.kind) && (takesWallets || !isOfWallet),
    );
  }

  /**
   * The connector of a payment, if it is still configured; references to the payment go there too.
   */
  ofPayment(state: PaymentState): Connector | undefined {
    if (state.kind === 'none') return this.all[0];
    const name = initialTransaction(state).request?.connector;
    return name === undefined ? this.all[0] : this.#byName.get(name);
  }

  /** What that connector can do. */
  capabilitiesFor(state: PaymentState): RecoveryCapabilities & ConnectorRules {
    return this.ofPayment(state)?.capabilities ?? NOTHING;
  }

  /** What a connector takes of a command's parameters; undefined if none of it was sent. */
  parametersFor(
    { name }: Connector,
    { parameters, personal }: Pick<OpenedCommand['data'], 'parameters' | 'personal'>,
  ): RequestParameters | undefined {
    return this.#taken.get(name)?.(parameters, personal ?? NOTHING_PERSONAL);
  }

  /**
   * Takes a place in the connector's bulkhead, so that a slow acquirer neither uses unbounded
   * memory nor holds up other connectors (D-12). False when it is full.
   */
  enter({ name }: Connector): boolean {
    const underWay = this.#underWay.get(name) ?? 0;
    if (underWay >= this.callsMax) return false;
    this.#underWay.set(name, underWay + 1);
    return true;
  }

  /** How many calls each has under way. */
  open(): readonly Reading<'connector'>[] {
    return this.all.map(({ name }) => {
      return { labels: { connector: name }, value: this.#underWay.get(name) ?? 0 };
    });
  }

  /** Gives the place back. */
  leave({ name }: Connector): void {
    this.#underWay.set(name, (this.#underWay.get(name) ?? 1) - 1);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((connector) => connector.close()));
  }
}
