import {
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set,
  UTCTime,
} from 'asn1js';
import { createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto';

/** Who signs, and when. */
export interface Signer {
  readonly leaf: X509Certificate;
  readonly key: KeyObject;
  readonly intermediate: X509Certificate;
  readonly at: Date;
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const CONTEXT_SPECIFIC = 3;

/** A detached CMS signature of the content (RFC 5652), in DER, as Apple makes them. */
export function signedMessage(content: Buffer, signer: Signer): Buffer {
  const { leaf, key, intermediate } = signer;
  const attributes = attributesOf(content, signer);
  // What is signed has the tag of a set, and the message [0] in its place (RFC 5652, 5.4).
  const signature = sign('sha256', derOf(new Set({ value: attributes })), key);
  const signerInfo = sequence(
    new Integer({ value: 1 }),
    identifierOf(leaf),
    sequence(identifier(SHA256)),
    tagged(...attributes),
    sequence(identifier(ECDSA_WITH_SHA256)),
    new OctetString({ valueHex: signature }),
  );
  const signedData = sequence(
    new Integer({ value: 1 }),
    new Set({ value: [sequence(identifier(SHA256))] }),
    sequence(identifier(DATA)),
    tagged(...[leaf, intermediate].map(({ raw }) => read(raw))),
    new Set({ value: [signerInfo] }),
  );
  return derOf(sequence(identifier(SIGNED_DATA), tagged(signedData)));
}

/** In the order of a set in DER: by their bytes. */
function attributesOf(content: Buffer, { at }: Signer): Sequence[] {
  const digest = createHash('sha256').update(content).digest();
  const attributes = [
    attribute(CONTENT_TYPE, identifier(DATA)),
    attribute(SIGNING_TIME, new UTCTime({ valueDate: at })),
    attribute(MESSAGE_DIGEST, new OctetString({ valueHex: digest })),
  ];
  return attributes.sort((one, other) => Buffer.compare(derOf(one), derOf(other)));
}

function attribute(type: string, value: BaseBlock): Sequence {
  return sequence(identifier(type), new Set({ value: [value] }));
}

/** Issuer and number, as the certificate has them: its first parts behind the version. */
function identifierOf({ raw }: X509Certificate): Sequence {
  const [body] = partsOf(read(raw));
  const [, serialNumber, , issuer] = body === undefined ? [] : partsOf(body);
  if (serialNumber === undefined || issuer === undefined) throw new TypeError('no certificate');
  return sequence(issuer, serialNumber);
}

function partsOf(value: BaseBlock): readonly BaseBlock[] {
  return value instanceof Constructed ? value.valueBlock.value : [];
}

function read(raw: Buffer): BaseBlock {
  return fromBER(new Uint8Array(raw)).result;
}

function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value });
}

function identifier(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value });
}

/** What the standard calls [0]. */
function tagged(...value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: CONTEXT_SPECIFIC, tagNumber: 0 }, value });
}

function derOf(value: BaseBlock): Buffer {
  return Buffer.from(value.toBER());
}
