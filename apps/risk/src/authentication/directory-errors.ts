import type { ErroMessage, MessageOf } from '@sluice/domain-three-d-secure';
import type { Logger } from '@sluice/service';
import type { DirectoryServer, DirectoryServers } from './directory-servers.js';

/** A directory server that takes none of them keeps no connections from those who want to pay. */
const UNDER_WAY_MAX = 16;

/** The parts they are made of. */
export interface DirectoryErrorsParts {
  readonly servers: Pick<DirectoryServers, 'tell'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Of the request that was answered wrongly. */
type Asked = Pick<MessageOf<'AReq' | 'PReq'>, 'messageVersion' | 'threeDSServerTransID'>;

/**
 * Tells directory servers what is wrong with their answers (Erro). Each is told once, whatever comes back, and
 * nobody waits for it: what the answer was about has ended.
 */
export class DirectoryErrors {
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly parts: DirectoryErrorsParts) {}

  tell(server: DirectoryServer, erro: ErroMessage, asked: Asked): void {
    const { network } = server;
    const { errorCode } = erro;
    if (this.#underWay.size >= UNDER_WAY_MAX) {
      this.parts.logger.warn({ network, errorCode }, 'A directory server is not told of an error.');
      return;
    }
    // Of what cannot be read the ids are not known, nor the version.
    const { messageVersion, threeDSServerTransID } = asked;
    const told = this.#tell(server, { threeDSServerTransID, ...erro, messageVersion });
    this.#underWay.add(told);
    void told.finally(() => this.#underWay.delete(told));
  }

  /** Waits for those that are under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #tell(server: DirectoryServer, erro: ErroMessage): Promise<void> {
    const { network } = server;
    const { errorCode } = erro;
    try {
      const result = await this.parts.servers.tell(server, JSON.stringify(erro));
      if (result.kind === 'answered') return;
      const fields = { network, errorCode, reason: result.reason };
      this.parts.logger.warn(fields, 'A directory server does not hear of an error.');
    } catch (err) {
      const fields = { network, errorCode, err };
      this.parts.logger.warn(fields, 'A directory server does not hear of an error.');
    }
  }
}
