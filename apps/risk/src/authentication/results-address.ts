import { SettingsError, TlsMaterial } from '@sluice/service';
import type { AuthenticationServerSettings } from './authentication-settings.js';
import { ResultsServer, type ResultsServerParts } from './results-server.js';

/** Where directory servers tell results: as it is configured, or else where the port is. */
export class ResultsAddress {
  #listensAt: string | undefined;

  constructor(private readonly settings: AuthenticationServerSettings) {}

  /** Undefined where nobody listens: then nobody can be challenged. */
  get url(): string | undefined {
    return this.#listensAt && (this.settings.resultsUrl ?? this.#listensAt);
  }

  /**
   * With certificates of its own, or those of calls between services. Undefined without a port.
   * @param isLive whether live directory servers tell results here, which nobody would know without certificates
   * @throws ListenError, SettingsError
   */
  async listen(
    parts: ResultsServerParts,
    isLive = false,
  ): Promise<{ close(): Promise<void> } | undefined> {
    const { resultsHost, resultsPort } = this.settings;
    if (resultsPort === undefined) return undefined;
    const own = await this.#ownCertificates(parts.logger);
    if (isLive && own === undefined && parts.tls === undefined) throw new SettingsError(IN_CLEAR);
    const server = new ResultsServer({ ...parts, tls: own ?? parts.tls });
    try {
      this.#listensAt = await server.listen(resultsHost, resultsPort);
    } catch (error) {
      own?.close();
      throw error;
    }
    return {
      close: async () => {
        await server.close();
        own?.close();
      },
    };
  }

  #ownCertificates(logger: ResultsServerParts['logger']): Promise<TlsMaterial | undefined> {
    const { resultsCertificateFile, resultsKeyFile, resultsAuthorityFile } = this.settings;
    return TlsMaterial.open(
      {
        ...(resultsCertificateFile !== undefined && { certificateFile: resultsCertificateFile }),
        ...(resultsKeyFile !== undefined && { keyFile: resultsKeyFile }),
        ...(resultsAuthorityFile !== undefined && { authorityFile: resultsAuthorityFile }),
      },
      (error) => logger.error({ err: error }, 'Certificates for results are not usable.'),
      'RISK_RESULTS',
    );
  }
}

const IN_CLEAR =
  'RISK_RESULTS_CERTIFICATE_FILE, RISK_RESULTS_KEY_FILE and RISK_RESULTS_AUTHORITY_FILE must be set with ' +
  'RISK_DIRECTORY_SERVERS_FILE: without certificates nobody knows who tells results.';
