import type { AppChallenge } from '@sluice/contracts';
import type { ErrorCode, ErrorComponent } from './error-codes.js';
import type { Message, MessageType, MessageVersion } from './message-kinds.js';

/*
 * The elements that code reads, by hand: those that a checked message has for certain, and those that
 * it may have. All others are in the tables, and are read as what they are: unknown.
 */

interface Header<Type extends MessageType> extends Message {
  readonly messageType: Type;
  readonly messageVersion: MessageVersion;
  readonly threeDSServerTransID: string;
}

/** The result of an authentication, in ARes and RReq. */
interface Result {
  /** Absent where a directory server has it so, for what is no payment. */
  readonly transStatus?: string;
  readonly transStatusReason?: string;
  readonly authenticationValue?: string;
  readonly eci?: string;
}

/** A card range before 2.3.1. */
export interface CardRange {
  readonly startRange: string;
  readonly endRange: string;
  readonly actionInd?: 'A' | 'D' | 'M';
  readonly acsStartProtocolVersion: string;
  readonly acsEndProtocolVersion: string;
  readonly dsStartProtocolVersion?: string;
  readonly dsEndProtocolVersion?: string;
  readonly threeDSMethodURL?: string;
  readonly acsInfoInd?: readonly string[];
}

/** Card ranges of one issuer since 2.3.1. */
export interface CardRanges {
  readonly ranges: readonly { readonly start: string; readonly end: string }[];
  readonly actionInd?: 'A' | 'D' | 'M';
  readonly issuerCountryCode?: string;
  readonly dsProtocolVersions?: readonly string[];
  readonly acsProtocolVersions: readonly {
    readonly version: string;
    readonly acsInfoInd?: readonly string[];
    readonly threeDSMethodURL?: string;
  }[];
}

/** Why a message is not taken. */
export interface ErroMessage extends Message {
  readonly messageType: 'Erro';
  readonly messageVersion: MessageVersion;
  /** Ours are of the table; others' may be any three digits. */
  readonly errorCode: ErrorCode | (string & {});
  readonly errorComponent: ErrorComponent;
  readonly errorDescription: string;
  readonly errorDetail: string;
  readonly errorMessageType?: string;
  readonly threeDSServerTransID?: string;
  readonly acsTransID?: string;
  readonly dsTransID?: string;
  readonly sdkTransID?: string;
}

interface TypedMessages {
  readonly AReq: Header<'AReq'> & {
    readonly deviceChannel: string;
    readonly messageCategory: string;
    readonly acctNumber: string;
  };
  readonly ARes: Header<'ARes'> &
    Result & {
      readonly acsTransID: string;
      readonly dsTransID: string;
      readonly acsReferenceNumber: string;
      readonly dsReferenceNumber: string;
      readonly acsURL?: string;
      readonly acsSignedContent?: string;
      readonly acsRenderingType?: AppChallenge['acsRenderingType'];
      readonly acsChallengeMandated?: 'N' | 'Y';
      readonly acsDecConInd?: 'N' | 'Y';
      /** Text before 2.3.1. */
      readonly cardholderInfo?: string | { readonly text: string };
    };
  readonly CReq: Header<'CReq'> & { readonly acsTransID: string };
  readonly CRes: Header<'CRes'> & { readonly acsTransID: string; readonly transStatus?: string };
  readonly RReq: Header<'RReq'> &
    Result & {
      readonly acsTransID: string;
      readonly dsTransID: string;
      readonly messageCategory: string;
      readonly challengeCancel?: string;
      readonly interactionCounter?: string;
    };
  readonly RRes: Header<'RRes'> & {
    readonly acsTransID: string;
    readonly dsTransID: string;
    readonly resultsStatus: string;
  };
  readonly PReq: Header<'PReq'> & { readonly serialNum?: string };
  readonly PRes: Header<'PRes'> & {
    readonly dsTransID: string;
    readonly serialNum?: string;
    readonly cardRangeData?: readonly CardRange[] | readonly CardRanges[];
  };
  readonly Erro: ErroMessage;
}

/** A message that has been checked, or was built. */
export type MessageOf<Type extends MessageType> = TypedMessages[Type];
