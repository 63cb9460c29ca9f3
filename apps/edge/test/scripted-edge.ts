import {
  type AccessDirectory,
  accessTokenHash,
  type AuthenticationProofAnswer,
  type IssuerWordsQuery,
  type AccountNode,
  type CheckoutCommandMessage,
  type DetailsToHold,
  type DirectoryAnswer,
  type LinkedTransactionsQuery,
  type OpenedToken,
  type TokenToOpen,
  type TokenVault,
  legacyCredentialHash,
  type PaymentCommandMessage,
  type PaymentReply,
  type PaymentToStore,
  type TransactionEntriesQuery,
  type RecordedTransactions,
  type RecordedTransactionsQuery,
  type RegistrationCommandMessage,
  type RegistrationQuery,
  type RegistrationView,
  type ScheduleCommandMessage,
  type TransactionOutcome,
  type TakenBrandsAnswer,
  type TakenBrandsQuery,
  type TransactionQuery,
  shownInstrument,
  type TransactionView,
  type Vault,
  type SavingVault,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import {
  type CommandResult,
  type Commands,
  type Queries,
  QueryUnavailable,
} from '@sluice/messaging';
import { AccessToken } from '@sluice/secrets';
import { type Clock, createLogger, type KeyProvider, type Logger, openText } from '@sluice/service';
import { fixedClock, type FixedClock } from '@sluice/testing';
import { createSecretKey } from 'node:crypto';
import { EdgeModule, type EdgeStart, type RequestDone, type RunningEdge } from '../src/index.js';
import { EdgeSettings } from '../src/settings.js';
import { approvingCheckouts, checkoutAnswer, type CheckoutScript } from './scripted-checkouts.js';
import { ScriptedSavings } from './scripted-savings.js';
import { planning, scheduleAnswer, type ScheduleScript } from './scripted-schedules.js';
import {
  registering,
  registrationAnswer,
  type RegistrationScript,
} from './scripted-registrations.js';

export const entityId = '8a829417567d952801568d9d9e3c0b84' as EntityId;
export const siblingEntityId = '8a829417567d952801568d9d9e3c0b85' as EntityId;
export const foreignEntityId = '8a829417567d952801568d9d9e3c0b86' as EntityId;
export const merchantEntityId = '8a829417567d952801568d9d9e3c0b87' as EntityId;
export const token = 'channel-token==';
export const merchantToken = 'merchant-token==';
export const legacy = { userId: 'legacy-user', password: 'legacy password' };
export const credentialKey = Buffer.alloc(32, 9);
export const buildNumber = `${'ab'.repeat(20)}@2026-01-02 03:04:05 +0000`;
export const startMs = Date.UTC(2026, 0, 2, 10, 20, 30);

const otherMerchantId = '8a829417567d952801568d9d9e3c0b88' as EntityId;
const divisionId = '8a829417567d952801568d9d9e3c0b89' as EntityId;

const node = (
  id: EntityId,
  kind: AccountNode['kind'],
  name: string,
  parentId: EntityId | undefined,
): AccountNode => ({
  ...{ id, kind, name, manualChargebacks: true, compatibility: {} },
  ...(parentId && { parentId }),
});

/** What is asked on the way of a shopper's browser. */
const SHOPPERS: readonly string[] = [
  ...['payments.redirect', 'payments.shopperReturn', 'risk.methodDone'],
];

/** A small tree: two channels of one merchant, one of another. */
export function directory(version = '1'): AccessDirectory {
  const hash = (text: string) => accessTokenHash(credentialKey, new AccessToken(text));
  const password = new AccessToken(legacy.password);
  return {
    version,
    nodes: [
      node(divisionId, 'division', 'Division', undefined),
      node(merchantEntityId, 'merchant', 'Books', divisionId),
      node(entityId, 'channel', 'Book Shop', merchantEntityId),
      node(siblingEntityId, 'channel', 'Map Shop', merchantEntityId),
      node(otherMerchantId, 'merchant', 'Shoes', divisionId),
      node(foreignEntityId, 'channel', 'Shoe Shop', otherMerchantId),
    ],
    credentials: [
      { kind: 'accessToken', hash: hash(token), nodeId: entityId },
      { kind: 'accessToken', hash: hash(merchantToken), nodeId: merchantEntityId },
      {
        kind: 'legacy',
        hash: legacyCredentialHash(credentialKey, { userId: legacy.userId, password }),
        nodeId: entityId,
      },
    ],
  };
}

/** What the other services say; each part may be replaced while edge runs. */
export interface Script extends CheckoutScript, RegistrationScript, ScheduleScript {
  reply: (
    command: PaymentCommandMessage,
  ) => CommandResult<PaymentReply> | Promise<CommandResult<PaymentReply>>;
  find: (query: TransactionQuery) => TransactionView | undefined;
  /** To `reporting.transactions`, and what payments says to `payments.transactionEntries`. */
  search: (query: TransactionEntriesQuery | RecordedTransactionsQuery) => RecordedTransactions;
  /** To `reporting.linkedTransactions`. */
  linked: (query: LinkedTransactionsQuery) => RecordedTransactions;
  /** What payments were made with. */
  paid: (query: TransactionQuery) => PaymentToStore | undefined;
  /** The cryptogram of an authentication alone. */
  proof: (query: TransactionQuery) => AuthenticationProofAnswer;
  /** What risk opens of an issuer's words; null once they are erased. */
  words: (sealed: string) => string | null;
  taken: (query: TakenBrandsQuery) => TakenBrandsAnswer;
  /** To what is asked for a shopper's browser on its way. */
  shopper: (query: string, parameters: object) => object;
  directory: DirectoryAnswer | 'unavailable';
  hold: (card: DetailsToHold) => string;
  /** What the vault says to the token of a wallet. */
  open: (token: TokenToOpen) => OpenedToken;
  /** Asked when edge starts. */
  keys: KeyProvider;
}

/** Wrap nothing: what a test's edge seals, the test opens. */
const plainKeys: KeyProvider = {
  currentVersion: () => 'plain',
  hasVersion: () => true,
  wrap: async (key) => ({ version: 'plain', wrapped: Buffer.from(key) }),
  unwrap: async (wrapped) => Buffer.from(wrapped),
};

/** Edge on a real port between scripted services, and what it asked of them. */
export class ScriptedEdge {
  readonly commands: PaymentCommandMessage[] = [];
  readonly registrations: RegistrationCommandMessage[] = [];
  readonly checkouts: CheckoutCommandMessage[] = [];
  readonly schedules: ScheduleCommandMessage[] = [];
  readonly queries: TransactionQuery[] = [];
  readonly searches: (TransactionEntriesQuery | RecordedTransactionsQuery)[] = [];
  readonly held: DetailsToHold[] = [];
  readonly tokens: TokenToOpen[] = [];
  readonly forgotten: string[] = [];
  readonly savings = new ScriptedSavings();
  readonly done: RequestDone[] = [];
  readonly logged: string[] = [];
  readonly clock: FixedClock = fixedClock(startMs);
  script: Script = approving();
  #running: RunningEdge | undefined;

  /** Starts it; `settings` in place of the usual ones. */
  async start(
    settings: Partial<EdgeSettings> = {},
    clock: Clock = this.clock,
    more: Pick<EdgeStart, 'sendsEveryCommand'> = {},
  ): Promise<this> {
    this.#running = await EdgeModule.start({
      settings: Object.assign(new EdgeSettings(), {
        port: 0,
        credentialKey,
        buildNumber,
        throttlePerSecond: 0,
        throttleReadsPerSecond: 0,
        closeWaitMs: 1_000,
        ...settings,
      }),
      commands: this.#commands(),
      queries: this.#queries(),
      vault: this.#vault(),
      commandKeys: this.script.keys,
      clock,
      logger: this.#logger(),
      onRequestDone: (done) => this.done.push(done),
      ...more,
    });
    return this;
  }

  get url(): string {
    if (!this.#running) {
      throw new Error('edge has not been started');
    }
    return this.#running.url;
  }

  async close(): Promise<void> {
    await this.#running?.close();
  }

  /** Forgets what happened and answers approvals again. */
  reset(): void {
    for (const list of [
      ...[this.commands, this.registrations, this.checkouts, this.schedules, this.queries],
      ...[this.searches, this.held, this.tokens, this.forgotten, this.done],
    ]) {
      list.length = 0;
    }
    this.logged.length = 0;
    this.savings.reset();
    this.script = approving();
  }

  /** The last command; fails when there was none. */
  get command(): PaymentCommandMessage {
    const command = this.commands.at(-1);
    if (!command) {
      throw new Error('no command was sent');
    }
    return command;
  }

  #commands(): Commands {
    return {
      send: async <Reply>(service: string, command: unknown) => {
        // As every transport does: what JSON does not carry is lost.
        switch (service) {
          case 'registrations': {
            const told = carried<RegistrationCommandMessage>(command);
            this.registrations.push(told);
            return carried<CommandResult<Reply>>(this.script.register(told));
          }
          case 'checkouts': {
            const told = carried<CheckoutCommandMessage>(command);
            this.checkouts.push(told);
            return carried<CommandResult<Reply>>(this.script.checkOut(told));
          }
          case 'scheduling': {
            const told = carried<ScheduleCommandMessage>(command);
            this.schedules.push(told);
            return carried<CommandResult<Reply>>(this.script.schedule(told));
          }
          case 'payments': {
            const told = carried<PaymentCommandMessage>(command);
            this.commands.push(told);
            return carried<CommandResult<Reply>>(await this.script.reply(told));
          }
          default:
            throw new Error(`nobody is called ${service}`);
        }
      },
    };
  }

  #queries(): Queries {
    return {
      ask: async <Answer>(_service: string, query: string, parameters: object) => {
        if (query === 'accounts.directory') {
          if (this.script.directory === 'unavailable') {
            throw new QueryUnavailable(query, 'noService');
          }
          return this.script.directory as Answer;
        }
        if (query.startsWith('checkouts.')) {
          return carried<Answer>(checkoutAnswer(this.script, query, parameters));
        }
        if (query.startsWith('registrations.')) {
          return carried<Answer>(registrationAnswer(this.script, query, parameters));
        }
        if (query.startsWith('scheduling.')) {
          return carried<Answer>(scheduleAnswer(this.script, query, parameters));
        }
        if (query === 'payments.paidInstrument') {
          return carried<Answer>({ payment: this.script.paid(parameters as TransactionQuery) });
        }
        if (query === 'payments.authenticationProof') {
          return carried<Answer>(this.script.proof(parameters as TransactionQuery));
        }
        if (query === 'risk.issuerWords') {
          const { sealed } = parameters as IssuerWordsQuery;
          return carried<Answer>({ texts: sealed.map((each) => this.script.words(each)) });
        }
        if (query === 'payments.takenBrands') {
          return carried<Answer>(this.script.taken(parameters as TakenBrandsQuery));
        }
        if (query === 'reporting.linkedTransactions') {
          return carried<Answer>(this.script.linked(parameters as LinkedTransactionsQuery));
        }
        if (SHOPPERS.includes(query)) {
          return carried<Answer>(this.script.shopper(query, parameters));
        }
        if (query !== 'payments.transaction') {
          const asked = parameters as TransactionEntriesQuery | RecordedTransactionsQuery;
          this.searches.push(asked);
          return carried<Answer>(this.script.search(asked));
        }
        this.queries.push(parameters as TransactionQuery);
        return carried<Answer>({ transaction: this.script.find(parameters as TransactionQuery) });
      },
    };
  }

  #vault(): Vault & TokenVault & SavingVault {
    return {
      ...this.savings.port(),
      hold: async (card) => {
        this.held.push(card);
        return {
          reference: `reference-${this.held.length}`,
          fingerprint: this.script.hold(card),
          ...(card.merchantId !== undefined && {
            accountFingerprint: `account-of-${card.merchantId}`,
          }),
        };
      },
      openToken: async (toOpen) => {
        this.tokens.push(toOpen);
        return this.script.open(toOpen);
      },
      reveal: () => Promise.reject(new Error('edge never reveals')),
      forget: async (reference) => {
        this.forgotten.push(reference);
      },
    };
  }

  #logger(): Logger {
    const destination = { write: (line: string) => void this.logged.push(line) };
    return createLogger({ service: 'edge', level: 'debug', destination });
  }
}

/** As every transport does: what JSON does not carry is lost. */
function carried<Message>(message: unknown): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}

/** The outcome that a command asks for, with the amount it names. */
export function outcomeOf(
  { data }: PaymentCommandMessage,
  outcome: Partial<TransactionOutcome> = {},
): TransactionOutcome {
  return {
    id: data.transactionId,
    ...('referencedId' in data && { referencedId: data.referencedId }),
    operation: data.operation,
    status: data.rejection === undefined ? 'approved' : 'rejected',
    resultCode: data.rejection ?? '000.100.110',
    ...('rejectionDescription' in data && { resultDescription: data.rejectionDescription }),
    ...(data.amount && { amount: data.amount }),
    // Of what is refused here, and of what is not answered yet, the acquirer has no transaction.
    ...(data.rejection === undefined &&
      outcome.status !== 'requested' &&
      outcome.status !== 'rejected' && { connectorTxId: 'acquirer-1' }),
    ...outcome,
  };
}

/** A card that was stored, as registrations answers it. */
export function registered(
  { registrationId: id, entityId: of }: RegistrationQuery,
  changes: Partial<RegistrationView> = {},
): RegistrationView {
  return {
    ...{ id, state: 'kept', entityId: of, channelName: 'Book Shop', mode: 'INTERNAL' },
    outcome: { id, operation: 'registration', status: 'approved', resultCode: '000.100.110' },
    instrument: {
      ...{ kind: 'card', vaultReference: `kept.${id}`, bin: '420000', last4: '0000' },
      ...{ brand: 'VISA', expiryMonth: '05', expiryYear: '2034' },
    },
    parameters: {},
    personal: { 'card.holder': 'Jane Jones' },
    ...changes,
  };
}

/** Payments answering every command with this outcome. */
export function replying(outcome: Partial<TransactionOutcome>): Script['reply'] {
  return (command) => ({
    kind: 'replied',
    reply: { kind: 'transaction', outcome: outcomeOf(command, outcome) },
  });
}

/** A transaction as payments would answer it to a query, made from its command. */
export function viewOf(
  command: PaymentCommandMessage,
  outcome: Partial<TransactionOutcome> = {},
): TransactionView {
  const { data } = command;
  return {
    ...outcomeOf(command, outcome),
    mode: 'INTERNAL',
    ...data.context,
    recordedAtMs: data.context.receivedAtMs,
    ...('instrument' in data && { instrument: shownInstrument(data.instrument) }),
    parameters: data.parameters,
    personal: personalOf(command),
  };
}

/** What is personal in a command, opened as payments would. */
export function personalOf({
  data,
}: PaymentCommandMessage | RegistrationCommandMessage | CheckoutCommandMessage): Readonly<
  Record<string, string>
> {
  if (!('personal' in data)) return {};
  const key = createSecretKey(Buffer.from(data.personal.key, 'base64'));
  const text = openText(key, data.transactionId, data.personal.block);
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

function approving(): Script {
  return {
    reply: replying({}),
    find: () => undefined,
    proof: () => ({}),
    words: (sealed) => (sealed.startsWith('sealed ') ? sealed.slice('sealed '.length) : null),
    search: () => ({ transactions: [], total: 0 }),
    linked: () => ({ transactions: [], total: 0 }),
    register: registering({}),
    ...{ ...approvingCheckouts, ...planning },
    paid: () => undefined,
    taken: () => ({}),
    shopper: () => ({}),
    findOfRegistration: () => undefined,
    registered: () => undefined,
    directory: { directory: directory() },
    keys: plainKeys,
    hold: ({ details }) =>
      Object.entries(details)
        .map(([name, detail]) => `${name} ${detail.reveal().length} ${detail.reveal().slice(-4)}`)
        .sort()
        .join(', '),
    open: ({ wallet }) => ({
      kind: 'held',
      fingerprint: 'of the token',
      reference: 'reference-of-token',
      card: {
        ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA', brandDetected: true },
        ...{ expiryMonth: '05', expiryYear: '2034', wallet, numberType: 'DPAN' },
      },
    }),
  };
}
