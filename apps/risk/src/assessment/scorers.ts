import type { Mode } from '@sluice/contracts';
import { scorerAnswer, type ScorerAnswer, type ScorerQuestion } from '@sluice/domain-risk';
import { Secret } from '@sluice/secrets';
import {
  type Clock,
  HttpClient,
  type HttpResult,
  jsonObjectIn,
  type Logger,
  Outage,
  OutboundHosts,
  outboundSentences,
  secretJsonObject,
  secretJsonText,
  SettingsError,
} from '@sluice/service';
import type { RiskMetrics } from '../risk-metrics.js';
import { Breaker } from './breaker.js';

/** For everything together: an instance of risk has two seconds before payments asks another one. */
export const SCORED_WITHIN_MS = 1_200;
const CONNECT_TIMEOUT_MS = 800;
const CONNECTIONS_MAX = 64;
/** Those that wait for a connection among them; more come to nothing within their time. */
const CALLS_MAX = 256;
const ANSWER_BYTES_MAX = 16 * 1_024;
const SCORERS_MAX = 20;
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const OK = 200;

/** What the simulator's scorer is called. */
export const SIMULATOR = 'simulator';

/** How a call ended, as metrics have it. */
export const scorerOutcomes = ['answered', 'late', 'noAnswer', 'malformed', 'paused'] as const;

/** A scorer that the installation knows. */
export interface ScorerAddress {
  readonly name: string;
  readonly url: URL;
  /** The header that says who asks. */
  readonly authorization?: Secret<string>;
}

/** Where scorers are found. */
export interface ScorerSettings {
  /** The file that names them; absent: none. */
  readonly file?: string | undefined;
  /** A simulator that plays one, which no live payment is asked of. */
  readonly simulatorUrl?: string | undefined;
  readonly privateTargets: readonly string[] | 'all';
}

/** What scorers are made of. */
export interface ScorersParts {
  readonly settings: ScorerSettings;
  readonly metrics: Pick<RiskMetrics, 'scored'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Scorer {
  readonly address: ScorerAddress;
  readonly client: HttpClient;
  readonly breaker: Breaker;
  readonly outage: Outage;
  calls: number;
}

/** External services that say how likely a payment is a fraud; asked once a payment, and never for long. */
export class Scorers {
  readonly #scorers = new Map<string, Scorer>();
  /** Those that rules name and nobody knows, each logged once. */
  readonly #missing = new Set<string>();

  constructor(private readonly parts: ScorersParts) {}

  /** Reads who they are. @throws SettingsError with what is wrong */
  async open(): Promise<void> {
    const { file, simulatorUrl, privateTargets } = this.parts.settings;
    const outbound = new OutboundHosts(privateTargets);
    const listed = file === undefined ? [] : await scorersIn(file);
    for (const address of listed) this.#add(address, outbound);
    if (simulatorUrl === undefined) return;
    const url = new URL('/scorer', simulatorUrl);
    const here = new OutboundHosts([`${url.hostname}:${url.port || '80'}`]);
    this.#add({ name: SIMULATOR, url }, here);
  }

  /** Those that rules may use. */
  get names(): readonly string[] {
    return [...this.#scorers.keys()];
  }

  /** What one says of a payment, in time; sent once at most. */
  async ask(name: string, question: ScorerQuestion, mode: Mode): Promise<ScorerAnswer | 'away'> {
    const scorer = this.#scorers.get(name);
    const { metrics, logger } = this.parts;
    if (scorer === undefined || (name === SIMULATOR && mode === 'LIVE')) {
      const missing = `${name} ${mode}`;
      if (!this.#missing.has(missing)) {
        this.#missing.add(missing);
        logger.error({ scorer: name, mode }, 'A node uses a scorer that is not there.');
      }
      metrics.scored('noAnswer');
      return 'away';
    }
    if (scorer.calls >= CALLS_MAX || !scorer.breaker.begin()) {
      metrics.scored('paused');
      return 'away';
    }
    scorer.calls += 1;
    try {
      // It waits for a connection, so its time is over sooner, and not by the scorer.
      const isOneTooMany = scorer.calls > CONNECTIONS_MAX;
      const { outcome, answer } = answerIn(await this.#call(scorer, question), isOneTooMany);
      metrics.scored(outcome);
      if (outcome === 'paused') {
        scorer.breaker.notAsked();
        return 'away';
      }
      if (answer === undefined) {
        scorer.breaker.failed();
        scorer.outage.failed(new Error(`${name}: ${outcome}`));
        return 'away';
      }
      scorer.breaker.succeeded();
      scorer.outage.over();
      return answer;
    } finally {
      scorer.calls -= 1;
    }
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#scorers.values()].map(({ client }) => client.close()));
  }

  #call({ address, client }: Scorer, question: ScorerQuestion): Promise<HttpResult> {
    const { url, authorization } = address;
    return client.send({
      ...{ method: 'POST', path: `${url.pathname}${url.search}`, timeoutMs: SCORED_WITHIN_MS },
      body: JSON.stringify(question),
      ...(authorization !== undefined && { headers: { authorization } }),
    });
  }

  #add(address: ScorerAddress, outbound: OutboundHosts): void {
    const { name, url } = address;
    const refuse = (reason: string) =>
      new SettingsError(`RISK_SCORERS_FILE: the scorer ${name} cannot be called: ${reason}.`);
    if (this.#scorers.has(name)) throw refuse('its name is given twice');
    const target = OutboundHosts.targetOf(url);
    const refusal = outbound.refusal(target);
    if (refusal !== undefined) throw refuse(outboundSentences[refusal]);
    const isEncrypted = url.protocol === 'https:' || outbound.isPrivateTarget(target);
    if (!isEncrypted) throw refuse(outboundSentences.notEncrypted);
    const lookup = outbound.lookupFor(target);
    const { clock, logger } = this.parts;
    this.#scorers.set(name, {
      ...{ address, calls: 0, breaker: new Breaker(() => clock.monotonicMs()) },
      client: new HttpClient({
        ...{ origin: url.origin, connectionsMax: CONNECTIONS_MAX },
        ...{ connectTimeoutMs: CONNECT_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX },
        ...(lookup !== undefined && { lookup }),
      }),
      outage: new Outage(clock, logger, {
        begins: 'A scorer does not answer.',
        goesOn: 'A scorer still does not answer.',
        ends: 'A scorer answers again.',
      }),
    });
  }
}

interface Ended {
  readonly outcome: (typeof scorerOutcomes)[number];
  readonly answer?: ScorerAnswer;
}

function answerIn(result: HttpResult, isOneTooMany: boolean): Ended {
  if (result.kind !== 'answered') {
    // `givenUp`: it got no connection, and nothing was sent.
    if (result.reason === 'givenUp') return { outcome: 'paused' };
    if (result.reason !== 'timeout') return { outcome: 'noAnswer' };
    return { outcome: isOneTooMany ? 'paused' : 'late' };
  }
  if (result.statusCode !== OK) return { outcome: 'noAnswer' };
  const answer = scorerAnswer(parsed(result.body));
  return answer === undefined ? { outcome: 'malformed' } : { outcome: 'answered', answer };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function scorersIn(file: string): Promise<readonly ScorerAddress[]> {
  const name = `RISK_SCORERS_FILE ${file}`;
  const { scorers = [] } = secretJsonObject(await secretJsonText('RISK_SCORERS_FILE', file), name);
  if (!Array.isArray(scorers) || scorers.length > SCORERS_MAX) {
    throw new SettingsError(`${name} must have in "scorers" a list of at most ${SCORERS_MAX}.`);
  }
  return scorers.map((each: unknown, at) => scorerIn(each, `${name}: scorers[${at}]`));
}

function scorerIn(value: unknown, place: string): ScorerAddress {
  const { name, url, secret, ...others } = jsonObjectIn(value, place);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new SettingsError(
      `${place} has no ${JSON.stringify(unknown)}; it has name, url, secret.`,
    );
  }
  if (typeof name !== 'string' || !NAME.test(name) || name === SIMULATOR) {
    throw new SettingsError(
      `${place}.name must be 1 to 40 small letters, digits and hyphens, and not "${SIMULATOR}".`,
    );
  }
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new SettingsError(
      `${place}.url must be an address such as https://scorer.example/score.`,
    );
  }
  if (
    secret !== undefined &&
    (typeof secret !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(secret))
  ) {
    throw new SettingsError(`${place}.secret must be a text without blanks.`);
  }
  return {
    ...{ name, url: new URL(url) },
    ...(secret !== undefined && { authorization: new Secret(`Bearer ${secret}`) }),
  };
}
