import { EntitySchema } from 'typeorm';
import type { CredentialEntry, Demands, NodeKind, SwitchSettings } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';

/** A row of `nodes`: PSP, division, merchant or channel. */
export interface NodeRow {
  id: EntityId;
  kind: NodeKind;
  name: string;
  parentId: EntityId | null;
  manualChargebacks: boolean;
  compatibility: SwitchSettings;
}

/** A row of `credentials`: a keyed hash and a node it belongs to, one of perhaps several. */
export interface CredentialRow {
  kind: CredentialEntry['kind'];
  hash: string;
  nodeId: EntityId;
}

/** The one row of `directory_version`; it moves with every change of the other tables. */
export interface DirectoryVersionRow {
  onlyRow: boolean;
  /** A `bigint`, hence text. */
  version: string;
}

/** A row of `askers`: an instance of edge. */
export interface AskerRow {
  asker: string;
  askedAt: Date;
  demands: Demands;
}

export const askerRows = new EntitySchema<AskerRow>({
  name: 'Asker',
  tableName: 'askers',
  columns: {
    asker: { type: 'text', primary: true },
    askedAt: { type: 'timestamptz', name: 'asked_at' },
    demands: { type: 'jsonb' },
  },
});

export const nodeRows = new EntitySchema<NodeRow>({
  name: 'Node',
  tableName: 'nodes',
  columns: {
    id: { type: 'text', primary: true },
    kind: { type: 'text' },
    name: { type: 'text' },
    parentId: { name: 'parent_id', type: 'text', nullable: true },
    manualChargebacks: { name: 'manual_chargebacks', type: 'boolean' },
    compatibility: { type: 'jsonb' },
  },
});

export const credentialRows = new EntitySchema<CredentialRow>({
  name: 'Credential',
  tableName: 'credentials',
  columns: {
    kind: { type: 'text', primary: true },
    hash: { type: 'text', primary: true },
    nodeId: { name: 'node_id', type: 'text', primary: true },
  },
});

export const directoryVersionRows = new EntitySchema<DirectoryVersionRow>({
  name: 'DirectoryVersion',
  tableName: 'directory_version',
  columns: {
    onlyRow: { name: 'only_row', type: 'boolean', primary: true },
    version: { type: 'bigint' },
  },
});
