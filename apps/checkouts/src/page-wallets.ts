import type {
  ApplePaySessionAnswer,
  ApplePaySessionQuery,
  OfferedWalletsAnswer,
  OfferedWalletsQuery,
} from '@sluice/contracts';
import { HttpClient, type HttpResult } from '@sluice/service';
import { applePayGateway } from './apple-pay-gateways.js';
import {
  offeredWallets,
  SIMULATED_SESSION,
  simulatorFor,
  type WalletsInUse,
} from './offered-wallets.js';
import type { ApplePayMerchant } from './wallet-merchants.js';

/** Less than whoever asks waits for; Apple gives pages half a minute. */
const ANSWER_WITHIN_MS = 4_000;
const CONNECT_WITHIN_MS = 2_000;
/** Whoever has a checkout's id may ask, so what is over this is asked for again by its page. */
const ASKED_AT_ONCE_MAX = 16;
/** Sessions have some 5 kB. */
const SESSION_BYTES_MAX = 32 * 1024;
const OK = 200;
/** What Apple shows of a merchant is no longer. */
const DISPLAY_NAME_MAX = 64;
const SIMULATED_MERCHANT = 'merchant.sluice.sandbox';

/** Whom to ask, and as whom. */
interface Asked {
  readonly origin: string;
  readonly path: string;
  readonly merchant: Pick<ApplePayMerchant, 'merchantIdentifier' | 'displayName'> &
    Partial<Pick<ApplePayMerchant, 'identity'>>;
}

/** The wallets on merchants' pages: which there are, and that Apple knows whose page it is. */
export class PageWallets {
  #underWay = 0;

  /** @param newClient how one origin is asked */
  constructor(
    private readonly inUse: WalletsInUse,
    private readonly newClient = (options: ConstructorParameters<typeof HttpClient>[0]) =>
      new HttpClient(options),
  ) {}

  /** Those of a channel. */
  offered(asked: OfferedWalletsQuery): OfferedWalletsAnswer {
    return offeredWallets(this.inUse, asked);
  }

  /**
   * Has Apple confirm that a page is its merchant's, before a sheet of Apple Pay opens on it. The address
   * comes from the shopper's browser: it is compared with Apple's own, and nothing else of it is used.
   * Asks once; never rejects.
   */
  async applePaySession(query: ApplePaySessionQuery): Promise<ApplePaySessionAnswer> {
    const asked = this.#asked(query);
    if (typeof asked === 'string') return { kind: asked };
    if (this.#underWay >= ASKED_AT_ONCE_MAX) return { kind: 'unavailable' };
    this.#underWay += 1;
    try {
      return answerOf(await this.#send(asked, query));
    } finally {
      this.#underWay -= 1;
    }
  }

  #asked(query: ApplePaySessionQuery): Asked | 'notSetUp' | 'foreignAddress' {
    const { merchants, simulated } = this.inUse;
    const { entityIds, validationUrl } = query;
    if (simulated !== undefined) {
      const simulator = simulatorFor(this.inUse, query);
      if (simulator === undefined) return 'notSetUp';
      // Where the browser finds it is compared; called is where this service was told that it is.
      if (validationUrl !== `${simulator.pages}${SIMULATED_SESSION}`) return 'foreignAddress';
      const { origin, pathname } = new URL(`${simulator.url}${SIMULATED_SESSION}`);
      return { origin, path: pathname, merchant: { merchantIdentifier: SIMULATED_MERCHANT } };
    }
    const merchant = merchants.applePayOf(entityIds);
    if (merchant === undefined) return 'notSetUp';
    const gateway = applePayGateway(validationUrl);
    return gateway === undefined ? 'foreignAddress' : { ...gateway, merchant };
  }

  /** With a connection of its own, as that merchant; redirects are not followed. */
  async #send({ origin, path, merchant }: Asked, query: ApplePaySessionQuery): Promise<HttpResult> {
    const { merchantIdentifier, identity } = merchant;
    const { domain } = query;
    const displayName = query.displayName ?? merchant.displayName ?? domain;
    const client = this.newClient({
      ...{ origin, connectionsMax: 1, keepsConnections: false, answerBytesMax: SESSION_BYTES_MAX },
      connectTimeoutMs: CONNECT_WITHIN_MS,
      ...(identity !== undefined && { tls: { current: identity }, publicAddressesOnly: true }),
    });
    try {
      return await client.send({
        ...{ method: 'POST', path, timeoutMs: ANSWER_WITHIN_MS },
        body: JSON.stringify({
          ...{ merchantIdentifier, displayName: displayName.slice(0, DISPLAY_NAME_MAX) },
          ...{ initiative: 'web', initiativeContext: domain },
        }),
      });
    } finally {
      await client.close();
    }
  }
}

function answerOf(result: HttpResult): ApplePaySessionAnswer {
  if (result.kind !== 'answered') return { kind: 'unavailable' };
  if (result.statusCode !== OK) {
    const isOurs = result.statusCode < 500;
    return { kind: isOurs ? 'notConfirmed' : 'unavailable' };
  }
  return isObject(result.body)
    ? { kind: 'session', session: result.body }
    : { kind: 'unavailable' };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
