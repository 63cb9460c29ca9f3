import type { Connector } from '@sluice/connectors';
import {
  type InitiatePayment,
  type Instrument,
  type InstrumentKind,
  type MerchantAccountId,
  type Mode,
  paymentMethodOf,
  type ShownInstrument,
} from '@sluice/contracts';
import type { EndedAttempt, FailedAttempt, RouteTaken, Transaction } from '@sluice/domain-payments';
import {
  type Attempt,
  type Choice,
  chooseRoute,
  type ConditionName,
  type Installation,
  mayBeTaken,
  mayTakeOtherRoute,
  nextRoute,
  type PlacedRoute,
  type RoutedPayment,
} from '@sluice/domain-routing';
import type { EntityId } from '@sluice/identifiers';
import { type Amount, fromMessage } from '@sluice/money';
import { INSTALLMENTS, isInInstallments, type KnownBrand } from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import {
  type AskedOfAcquirer,
  type Connectors,
  takesInstallments,
  takesInstrument,
} from './connectors.js';
import type { LiveRoutes } from './live-routes.js';

/** Where a payment goes, and by which route; an installation without routes has none to tell. */
export interface WayTaken {
  readonly connector: Connector;
  readonly route?: RouteTaken;
}

/** Why a payment goes nowhere: recorded and answered with this code. */
export interface NoWay {
  readonly resultCode: string;
  /** In place of the code's own text, where that does not say it. */
  readonly resultDescription?: string;
}

/** What `600.200.500` means of a route; the other codes say it themselves. */
const REASONS: Readonly<Partial<Record<ConditionName, string>>> = {
  merchantAccount: 'no route of this channel leads to a merchant account',
  currency: 'no route of this channel takes the currency',
  binCountry: "no route of this channel takes cards of the issuer's country",
  amount: 'no route of this channel takes the amount',
  installments: 'no acquirer of this channel takes payments in installments',
};

const NONE: ReadonlySet<MerchantAccountId> = new Set();

type NewPaymentData = Pick<
  InitiatePayment['data'],
  'transactionId' | 'instrument' | 'context' | 'amount' | 'issuerCountry' | 'parameters'
>;

/** A payment that its shopper has not begun. */
interface PaymentToCome {
  readonly entityId: EntityId;
  readonly mode: Mode;
  readonly amount: Amount;
  readonly inInstallments: boolean;
}

/** What the conditions of routes are about. */
interface Conditioned extends Omit<PaymentToCome, 'entityId'> {
  readonly instrument: ShownInstrument;
}

/** A new payment, as far as its way is concerned. */
interface ToRoute extends PaymentToCome {
  readonly id: RoutedPayment['id'];
  readonly instrument: Instrument;
  readonly issuerCountry?: string | undefined;
}

/** Which of its entity's routes a payment takes (pages 0054 and 0056). */
export class PaymentRouting {
  constructor(
    private readonly routes: Pick<LiveRoutes, 'index'>,
    private readonly connectors: Connectors,
  ) {}

  /** Whether accounts has said which routes there are. */
  get isKnown(): boolean {
    return this.routes.index !== undefined;
  }

  /**
   * Where a new payment goes, or why it goes nowhere; undefined: there is no acquirer at all.
   * @param except accounts that it may not go to
   */
  forNewPayment(
    data: NewPaymentData,
    except: ReadonlySet<MerchantAccountId> = NONE,
  ): WayTaken | NoWay | undefined {
    const { transactionId: id, instrument, context, amount, issuerCountry } = data;
    const { index } = this.routes;
    const inInstallments = isInInstallments(data.parameters[INSTALLMENTS]);
    if (index?.hasRoutes !== true) return this.#withoutRoute({ instrument, inInstallments });
    const { entityId, mode } = context;
    const payment = {
      ...{ id, entityId, mode, instrument, amount: fromMessage(amount), issuerCountry },
      inInstallments,
    };
    const placed = index
      .routesOf(entityId)
      .filter(({ account }) => account === undefined || !except.has(account.id));
    const choice = chooseRoute(routed(payment), placed, this.#installation(payment, placed));
    return choice.kind === 'refused'
      ? noWay(choice, instrument)
      : this.#taken(choice, payment, placed);
  }

  #withoutRoute(
    payment: AskedOfAcquirer & Pick<ToRoute, 'instrument'>,
  ): WayTaken | NoWay | undefined {
    const connector = this.connectors.withoutRoute(payment);
    if (connector !== undefined) return { connector };
    if (this.connectors.isNone) return undefined;
    const atOnce = this.connectors.withoutRoute({ ...payment, inInstallments: false });
    return atOnce === undefined
      ? notTaken(payment.instrument)
      : notConfigured('no acquirer of this installation takes the payment in installments');
  }

  /** Those of the brands with which a payment to come would go anywhere, as far as it is known by now. */
  taken(brands: readonly KnownBrand[], payment: PaymentToCome): readonly KnownBrand[] {
    const { index } = this.routes;
    const placed = index?.hasRoutes === true ? index.routesOf(payment.entityId) : undefined;
    return brands.filter(({ instrument }) => {
      const asked = { ...payment, instrument };
      if (placed === undefined) return this.connectors.withoutRoute(asked) !== undefined;
      return mayBeTaken(conditioned(asked), placed, this.#installation(asked, placed));
    });
  }

  /** Where it goes after an attempt that booked nothing; undefined if that was the last one. */
  afterAttempt(transaction: Transaction, ended: EndedAttempt): WayTaken | undefined {
    const { id, instrument, amount, metadata, route, failedAttempts = [] } = transaction;
    const { issuerCountry } = transaction;
    const { index } = this.routes;
    if (index === undefined || instrument === undefined || amount === undefined) return undefined;
    const attempts = [...failedAttempts, { route, ...ended }].flatMap((each) =>
      attemptOf(each, instrument),
    );
    // One without an account has gone to the simulator, which no other route stands in for.
    if (attempts.length <= failedAttempts.length) return undefined;
    const { entityId, mode } = metadata;
    const inInstallments = isInInstallments(transaction.parameters[INSTALLMENTS]);
    const payment = { id, entityId, mode, instrument, amount, issuerCountry, inInstallments };
    const placed = index.routesOf(entityId);
    const installation = this.#installation(payment, placed);
    const choice = nextRoute(routed(payment), placed, installation, attempts);
    return choice.kind === 'route' ? this.#taken(choice, payment, placed) : undefined;
  }

  /** What there is for a payment of this kind on these routes. */
  #installation(
    payment: Pick<Conditioned, 'instrument' | 'mode' | 'inInstallments'>,
    placed: readonly PlacedRoute[],
  ): Installation {
    const { instrument, mode } = payment;
    const simulator = this.connectors.simulatorFor(payment);
    const accounts = placed.flatMap(({ account }) => account ?? []);
    const unusable = accounts.filter(
      (account) => this.connectors.ofAccount(account, mode) === undefined,
    );
    const accountsNot = (takes: typeof takesInstrument) =>
      accounts.filter((account) => {
        const connector = this.connectors.ofAccount(account, mode);
        return connector !== undefined && !takes(connector, instrument);
      });
    return {
      connectors: accounts.map(({ connector }) => connector),
      unusable: new Set(unusable.map(({ id }) => id)),
      notTaking: new Set(accountsNot(takesInstrument).map(({ id }) => id)),
      atOnceOnly: new Set(accountsNot(takesInstallments).map(({ id }) => id)),
      ...(simulator && { simulator: simulator.name }),
    };
  }

  #taken(
    choice: Exclude<Choice, { kind: 'refused' }>,
    payment: ToRoute,
    placed: readonly PlacedRoute[],
  ): WayTaken {
    const { reason } = choice;
    const account =
      choice.kind === 'route'
        ? placed.find((each) => each.account?.id === choice.merchantAccountId)?.account
        : undefined;
    const connector =
      account === undefined
        ? this.connectors.simulatorFor(payment)
        : this.connectors.ofAccount(account, payment.mode);
    if (connector === undefined) throw new Error('A route was chosen that leads nowhere.');
    if (choice.kind === 'simulator') return { connector, route: reason };
    const { routeId, merchantAccountId } = choice;
    return { connector, route: { ...reason, routeId, merchantAccountId } };
  }
}

function routed({ id, issuerCountry, ...payment }: ToRoute): RoutedPayment {
  const binCountry = issuerCountry;
  return { id, ...conditioned(payment), ...(binCountry !== undefined && { binCountry }) };
}

function conditioned({
  mode,
  amount,
  instrument,
  inInstallments,
}: Conditioned): Omit<RoutedPayment, 'id' | 'binCountry'> {
  const brand = 'brand' in instrument ? instrument.brand : undefined;
  return {
    ...{ mode, amount, method: paymentMethodOf(instrument) ?? '', inInstallments },
    ...(brand !== undefined && { brand }),
  };
}

type MadeAttempt = Pick<FailedAttempt, 'reason' | 'decline'> & {
  readonly route?: RouteTaken | undefined;
};

function attemptOf(
  { route, reason, decline }: MadeAttempt,
  instrument: Instrument,
): readonly Attempt[] {
  const merchantAccountId = route?.merchantAccountId;
  if (merchantAccountId === undefined) return [];
  if (reason !== 'declined') {
    return [{ merchantAccountId, outcome: { kind: 'notPerformed', reason } }];
  }
  const brand = 'brand' in instrument ? instrument.brand : undefined;
  const { resultCode = '', resultDetails } = decline ?? {};
  const said = { brand, resultCode, adviceCode: resultDetails?.['MerchantAdviceCode'] };
  return [
    { merchantAccountId, outcome: { kind: reason, mayTakeOtherRoute: mayTakeOtherRoute(said) } },
  ];
}

/** What acquirers do not take, in words. */
const NAMES: Readonly<Record<InstrumentKind, string>> = {
  card: 'cards',
  wallet: 'cards out of wallets',
  virtualAccount: 'accounts at a provider',
  bankAccount: 'bank accounts',
  tokenAccount: 'token accounts',
  giftCard: 'gift cards',
  registration: 'registrations',
};

/** Never in another way, such as by the number alone: without its proof, nobody has to pay for it. */
function notTaken(instrument: Instrument): NoWay {
  const kind = 'wallet' in instrument ? 'wallet' : instrument.kind;
  return notConfigured(`no acquirer of this channel takes ${NAMES[kind]}`);
}

/** With the code's own text before the reason, as every other description has it. */
function notConfigured(reason: string): NoWay {
  const resultCode = codes.notConfigured;
  return { resultCode, resultDescription: `${describeResult(resultCode)} - ${reason}` };
}

function noWay(
  { resultCode, unmet }: Extract<Choice, { kind: 'refused' }>,
  instrument: Instrument,
): NoWay {
  if (unmet === 'instrument') return notTaken(instrument);
  const reason = resultCode === codes.notConfigured ? REASONS[unmet] : undefined;
  return reason === undefined ? { resultCode } : notConfigured(reason);
}
