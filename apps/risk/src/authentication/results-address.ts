import type { AuthenticationServerSettings } from './authentication-settings.js';
import { ResultsServer, type ResultsServerParts } from './results-server.js';

/** Where directory servers tell results: as it is configured, or else where the port is. */
export class ResultsAddress {
  #listensAt: string | undefined;

  constructor(
    private readonly settings: Pick<
      AuthenticationServerSettings,
      'resultsHost' | 'resultsPort' | 'resultsUrl'
    >,
  ) {}

  /** Undefined where nobody listens: then nobody can be challenged. */
  get url(): string | undefined {
    return this.#listensAt && (this.settings.resultsUrl ?? this.#listensAt);
  }

  /** Undefined without a port. Throws ListenError. */
  async listen(parts: ResultsServerParts): Promise<ResultsServer | undefined> {
    const { resultsHost, resultsPort } = this.settings;
    if (resultsPort === undefined) return undefined;
    const server = new ResultsServer(parts);
    this.#listensAt = await server.listen(resultsHost, resultsPort);
    return server;
  }
}
