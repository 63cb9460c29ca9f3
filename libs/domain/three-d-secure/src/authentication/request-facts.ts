import type { AuthenticateQuery, AuthenticationNetwork } from '@sluice/contracts';
import type { DeviceChannel, MessageVersion } from '../messages/message-kinds.js';
import type { ElementSource } from './request-faults.js';

/** Who our server is to directory servers. */
export interface ServerIdentity {
  /** The number under which EMVCo approved it. */
  readonly referenceNumber: string;
  /** Who runs it, as directory servers call it. */
  readonly operatorId?: string;
  /** Where results go (RReq). */
  readonly resultsUrl: string;
}

/** What is known of a request before it is written. */
export interface RequestFacts {
  readonly query: AuthenticateQuery;
  readonly network: AuthenticationNetwork;
  readonly version: MessageVersion;
  readonly channel: DeviceChannel;
  readonly server: ServerIdentity;
  readonly nowMs: number;
  /** How many digits the card's number has, which is added when the request is sent. */
  readonly numberDigits: number;
}

/** What an element is, by what is known. */
export type ValueIn = (facts: RequestFacts) => unknown;

/** An element of AReq that comes from a payment. */
export interface ElementRow extends ElementSource {
  readonly value: ValueIn;
  readonly channels?: readonly DeviceChannel[];
  /** Absent: in every request. */
  readonly when?: (facts: RequestFacts) => boolean;
}
