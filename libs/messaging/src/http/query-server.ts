import { FailureLogged, type InternalServer } from '@sluice/service';
import { encodeResult, settled } from '../handler-result.js';
import { queryPattern } from '../ports.js';

/** The callers of each query; see `internalCallers` in contracts. */
export type CallersOfQueries = Readonly<Record<string, readonly string[]>>;

/** Where the internal port of a service listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

type Handler = (data: unknown, context?: unknown) => Promise<unknown>;

const QUERY_PATTERN = queryPattern('');

/** Whether a handler's pattern is a query's. */
export function isQueryPattern(pattern: string): boolean {
  return pattern.startsWith(QUERY_PATTERN);
}

/** The path to which a query is posted; it contains no parameter. */
export function queryPath(query: string): string {
  return `/queries/${encodeURIComponent(query)}`;
}

/** A service's queries on its internal port: the handlers that Nest registers, as routes. */
export class QueryServer {
  constructor(
    private readonly server: InternalServer,
    private readonly address: ListenAddress,
    private readonly callers: CallersOfQueries,
  ) {}

  /** Takes a handler of `queryPattern(...)`. Throws when nobody is listed as its caller. */
  addHandler(pattern: string, handler: Handler): void {
    const query = pattern.slice(QUERY_PATTERN.length);
    const callers = this.callers[query];
    if (callers === undefined) throw new TypeError(`The query ${query} has no caller listed.`);
    this.server.route({
      path: queryPath(query),
      callers,
      answer: async (parameters) => encodeResult(await answerOf(handler, parameters)),
    });
  }

  /** Listens and returns the address. */
  listen(): Promise<string> {
    return this.server.listen(this.address.host, this.address.port);
  }

  /** Answers the queries under way and stops listening. */
  close(): Promise<void> {
    return this.server.close();
  }
}

/** Nest logs what a handler throws, and passes on an object without information in its place. */
async function answerOf(handler: Handler, parameters: unknown): Promise<unknown> {
  try {
    return await settled(handler(parameters));
  } catch (error) {
    throw error instanceof Error ? error : new FailureLogged();
  }
}
