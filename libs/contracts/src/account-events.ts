import type { EntityId } from '@sluice/identifiers';
import type { SwitchSettings } from './compatibility.js';
import { type EventsOf, eventTable } from './event-table.js';
import { closed, described, flag, formed, oneOf, type Schema, text } from './schema.js';

/** Who changed the account tree, and when. */
export interface AccountEventMetadata {
  /** When it was decided, milliseconds since the epoch, by the clock of the deciding process. */
  readonly recordedAtMs: number;
  /** `seed` for what an installation reads from its seed file at its start. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
}

/** The levels of the tree PSP > division > merchant > channel. */
export const nodeKinds = ['psp', 'division', 'merchant', 'channel'] as const;

/** What gives access to a node: the keyed hash of a token, or of a user and a password. */
export const credentialKinds = ['accessToken', 'legacy'] as const;

const nodeId = formed<EntityId>('^[0-9a-f]{32}$');
const compatibility: Schema<SwitchSettings> = { type: 'object', additionalProperties: flag };
const terms = {
  name: text,
  manualChargebacks: described(flag, 'Chargebacks may be recorded over HTTP; channels only.'),
  compatibility: described(compatibility, 'Compatibility switches that are on or off, by name.'),
};
const parent = { parentId: described(nodeId, 'Absent for a PSP only.') };
const credential = closed({
  kind: oneOf(credentialKinds),
  hash: formed('^[0-9a-f]{64}$', 'By the key of the installation, which is in no database.'),
});

/** Everything that can have happened to a node of the account tree; its id is the stream's. */
export const accountEvents = eventTable({
  NodeAdded: {
    version: 1,
    description: 'A PSP, division, merchant or channel was added to the tree.',
    data: closed({ nodeId, kind: oneOf(nodeKinds), ...terms }, parent),
  },
  NodeChanged: {
    version: 1,
    description: 'It has another name, place or other switches than before; all of them are said.',
    data: closed({ nodeId, ...terms }, parent),
  },
  CredentialGranted: {
    version: 1,
    description: 'A credential is good for this node and all below.',
    data: closed({ nodeId, credential }),
  },
  CredentialRevoked: {
    version: 1,
    description: 'A credential is good for this node no more.',
    data: closed({ nodeId, credential }),
  },
});

/** The data of each event of a node, by its name. */
export type AccountEvents = EventsOf<typeof accountEvents>;
