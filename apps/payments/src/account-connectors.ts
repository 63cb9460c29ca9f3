import { type CallLimits, type Connector, connectorTo, EndpointRefused } from '@sluice/connectors';
import type { Endpoint, EndpointMode, MerchantAccount, MerchantAccountId } from '@sluice/contracts';
import { type Logger, OutboundHosts, outboundSentences } from '@sluice/service';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The parts they are made of. */
export interface AccountConnectorsParts {
  readonly limits: CallLimits;
  readonly outbound: OutboundHosts;
  /** Where the installation mounts the secrets that endpoints name; absent: it mounts none. */
  readonly secretsFolder?: string | undefined;
  /** The same connector with its calls timed. */
  readonly timed: (connector: Connector) => Connector;
  /** Called with a connector that gets no new calls; it closes when its calls are over. */
  readonly retire: (connector: Connector) => void;
  readonly logger: Pick<Logger, 'warn'>;
  readonly monotonicMs: () => number;
}

/** A secret that was missing may have been mounted meanwhile. */
const TRY_AGAIN_AFTER_MS = 10_000;
const SECRET = 'secret:';

/** What has become of one endpoint. */
interface Made {
  /** What was said of it. */
  readonly said: string;
  /** Absent if it cannot be used. */
  readonly connector?: Connector;
  readonly madeAtMs: number;
}

/** The connectors of merchant accounts, made when they are first needed. */
export class AccountConnectors {
  #accounts: ReadonlyMap<MerchantAccountId, MerchantAccount> = new Map();
  readonly #made = new Map<string, Made>();

  constructor(private readonly parts: AccountConnectorsParts) {}

  /** From now on the accounts are these; what is said of an endpoint no more gets no new calls. */
  update(accounts: ReadonlyMap<MerchantAccountId, MerchantAccount>): void {
    this.#accounts = accounts;
    for (const [key, { said, connector }] of this.#made) {
      const [id = '', mode = ''] = key.split(' ');
      const account = accounts.get(id as MerchantAccountId);
      const endpoint = account?.endpoints[mode as EndpointMode];
      if (account && endpoint && saidOf(account, endpoint) === said) continue;
      this.#made.delete(key);
      if (connector !== undefined) this.parts.retire(connector);
    }
  }

  /** The account of this id, if there still is one. */
  accountOf(id: MerchantAccountId): MerchantAccount | undefined {
    return this.#accounts.get(id);
  }

  /** The connector of an account's endpoint; undefined, and once in the log, if it cannot be used. */
  connectorOf(account: MerchantAccount, mode: EndpointMode): Connector | undefined {
    const endpoint = account.endpoints[mode];
    if (endpoint === undefined) return undefined;
    const key = `${account.id} ${mode}`;
    const before = this.#made.get(key);
    const nowMs = this.parts.monotonicMs();
    const isGood = before?.connector !== undefined;
    if (isGood || (before && nowMs - before.madeAtMs < TRY_AGAIN_AFTER_MS)) return before.connector;
    const connector = this.#make(account, mode, endpoint, before === undefined);
    const said = saidOf(account, endpoint);
    this.#made.set(key, { said, madeAtMs: nowMs, ...(connector && { connector }) });
    return connector;
  }

  /** Those that have been made. */
  get all(): readonly Connector[] {
    return [...this.#made.values()].flatMap(({ connector }) => connector ?? []);
  }

  #make(
    { id: merchantAccountId, connector: name }: MerchantAccount,
    mode: EndpointMode,
    endpoint: Endpoint,
    isNew: boolean,
  ): Connector | undefined {
    const { limits, timed, logger } = this.parts;
    try {
      return timed(connectorTo(name, this.#told(endpoint), limits));
    } catch (error) {
      if (!(error instanceof EndpointRefused)) throw error;
      const fields = { merchantAccountId, mode, connector: name, reason: error.message };
      if (isNew) logger.warn(fields, 'A merchant account cannot be used; it gets no payments.');
      return undefined;
    }
  }

  /** @throws EndpointRefused */
  #told(endpoint: Endpoint) {
    const { outbound } = this.parts;
    const { acquirerMerchantId, settings, credentials } = endpoint;
    const address = new URL(endpoint.address);
    const target = OutboundHosts.targetOf(address);
    const refusal = outbound.refusal(target);
    if (refusal !== undefined) throw new EndpointRefused(outboundSentences[refusal]);
    const lookup = outbound.lookupFor(target);
    const secretFiles = Object.fromEntries(
      Object.entries(credentials).map(([name, { reference }]) => [
        name,
        this.#fileOf(name, reference),
      ]),
    );
    const told = { address, port: target.port, acquirerMerchantId, settings, secretFiles };
    return { ...told, ...(lookup && { lookup }) };
  }

  #fileOf(name: string, reference: string): string {
    const { secretsFolder } = this.parts;
    if (secretsFolder === undefined) {
      throw new EndpointRefused('PAYMENTS_SECRETS_FOLDER does not say where secrets are mounted');
    }
    const file = join(secretsFolder, reference.slice(SECRET.length));
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw new EndpointRefused(`The secret of the credential "${name}" is not mounted`);
    }
    return file;
  }
}

function saidOf({ connector }: MerchantAccount, endpoint: Endpoint): string {
  return JSON.stringify([connector, endpoint]);
}
