import { expect } from '@jest/globals';
import { type AnswerProxy, startAnswerProxy } from '@sluice/testing';
import type {
  Connector,
  ConnectorOperation,
  ConnectorRequest,
  InquiryOutcome,
  ReversalOutcome,
  SubmitOptions,
  SubmitOutcome,
} from '../connector.js';
import type { ContractSubject, Submission } from './contract-subject-fixture.js';

/** One rule of the contract; its check rejects where a connector breaks it. */
export interface ContractRule {
  readonly name: string;
  /** About HTTP itself, or about connections that carry one request at a time. */
  readonly isOfHttp?: true;
  readonly check: (bench: ContractBench) => Promise<void>;
}

/** Time enough for a call that nothing delays. */
const TIMEOUT_MS = 5_000;
/** A connector that has no outcome so long after its time has none at all. */
const GRACE_MS = 1_500;

/** A connector under test, with a proxy between it and its acquirer that can spoil the answers. */
export class ContractBench {
  readonly #others: Connector[] = [];
  /** As the request events would have it. */
  readonly #sent = new Map<string, ConnectorRequest>();

  readonly #timeoutMs: number;

  private constructor(
    readonly subject: ContractSubject,
    readonly proxy: AnswerProxy,
    readonly connector: Connector,
  ) {
    this.#timeoutMs = subject.timeoutMs ?? TIMEOUT_MS;
  }

  static async open(subject: ContractSubject, connectionsMax: number): Promise<ContractBench> {
    const proxy = await startAnswerProxy(subject.acquirerUrl(), subject.proxied);
    return new ContractBench(subject, proxy, subject.connectorTo(proxy.url, connectionsMax));
  }

  async close(): Promise<void> {
    await Promise.all([this.connector, ...this.#others].map((each) => each.close()));
    await this.proxy.close();
  }

  /** A second connector, with so many connections. */
  another(connectionsMax: number, url = this.proxy.url): Connector {
    const other = this.subject.connectorTo(url, connectionsMax);
    this.#others.push(other);
    return other;
  }

  submit(
    { request, instrument }: Submission,
    options: Partial<SubmitOptions> = {},
    through = this.connector,
  ): Promise<SubmitOutcome> {
    const whole = { ...inTime(this.#timeoutMs), ...options };
    this.#sent.set(request.acquirerReference, request);
    return soon('submit', through.submit(request, instrument, whole), whole.timeoutMs);
  }

  inquire(reference: string, timeoutMs = this.#timeoutMs): Promise<InquiryOutcome> {
    const call = this.connector.inquire(reference, {
      timeoutMs,
      original: this.#original(reference),
    });
    return soon('inquire', call, timeoutMs);
  }

  reverse(reference: string, timeoutMs = this.#timeoutMs): Promise<ReversalOutcome> {
    const call = this.connector.reverse(reference, {
      timeoutMs,
      original: this.#original(reference),
    });
    return soon('reverse', call, timeoutMs);
  }

  #original(reference: string): ConnectorRequest {
    return this.#sent.get(reference) ?? this.subject.approved().request;
  }

  /** Submits what the acquirer approves, and gives its reference and the acquirer's own id. */
  async approvedOne(
    operation: ConnectorOperation = 'debit',
  ): Promise<{ readonly reference: string; readonly connectorTxId: string }> {
    const submission = this.subject.approved();
    const request = { ...submission.request, operation };
    const outcome = await this.submit({ ...submission, request });
    expect(outcome).toMatchObject({ kind: 'approved' });
    const connectorTxId = outcome.kind === 'approved' ? outcome.connectorTxId : '';
    return { reference: request.acquirerReference, connectorTxId };
  }

  /** Neither question about a reference has an answer. */
  async expectUnavailable(reference: string, timeoutMs?: number): Promise<void> {
    expect(await this.inquire(reference, timeoutMs)).toEqual({ kind: 'unavailable' });
    expect(await this.reverse(reference, timeoutMs)).toEqual({ kind: 'unavailable' });
  }

  /** Does it, and gives what was sent meanwhile. */
  async sentBy(action: () => Promise<unknown>): Promise<readonly string[]> {
    const before = this.proxy.requests.length;
    await action();
    return this.proxy.requests.slice(before).map(({ text }) => text);
  }
}

/** Begun in time, for the whole of it. */
function inTime(timeoutMs: number): SubmitOptions {
  return { timeoutMs, beginByMs: performance.now() + timeoutMs };
}

/** An outcome in its time, and a failure that says so where there is none. */
async function soon<Outcome>(
  what: string,
  call: Promise<Outcome>,
  timeoutMs: number,
): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`${what} has no outcome after its ${timeoutMs} ms`));
    timer = setTimeout(fail, timeoutMs + GRACE_MS);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
