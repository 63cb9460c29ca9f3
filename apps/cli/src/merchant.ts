import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { readFileSync } from 'node:fs';
import { failed, usage } from './exit-codes.js';
import { entityIdOf } from './routing-session.js';
import type { Session } from './session.js';

/** The flags of what is done as a merchant. */
export interface MerchantFlags {
  readonly entity?: string;
  readonly tokenFile?: string;
  readonly url?: string;
}

/** Where somebody asks as a merchant, and by which channel and token. */
export interface Merchant {
  readonly url: string;
  readonly entityId: EntityId;
  readonly token: string;
}

/** The demo channel of what runs here, unless flags say otherwise. @throws CommandEnded */
export function merchantOf(
  session: Session,
  { entity, tokenFile, url: said }: MerchantFlags,
): Merchant {
  const entityId = entity === undefined ? DEMO_ENTITY_ID : entityIdOf(entity);
  if (said !== undefined && !URL.canParse(said)) throw usage(`"${said}" is no address.`);
  const url = said ?? session.gatewayUrl;
  if (tokenFile === undefined) return { url, entityId, token: DEMO_ACCESS_TOKEN };
  try {
    return { url, entityId, token: readFileSync(tokenFile, 'utf8').trim() };
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw failed(`${tokenFile} cannot be read (${code}).`);
  }
}
