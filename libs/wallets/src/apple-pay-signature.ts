import { type Attribute, CMSVersion, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, AsnParser, OctetString } from '@peculiar/asn1-schema';
import { type AlgorithmIdentifier, Certificate, Time } from '@peculiar/asn1-x509';
import { type AsnType, Constructed, fromBER, ObjectIdentifier, Sequence, Set } from 'asn1js';
import { Buffer } from 'node:buffer';
import { verify, X509Certificate } from 'node:crypto';
import { sha256 } from './token-text.js';
import type { WalletRefusal } from './wallet-card.js';

/** A detached CMS signature, and what it stands for. */
export interface AppleSignature {
  /** DER or BER. */
  readonly bytes: Buffer;
  readonly content: Buffer;
  /** Apple signs tokens that are encrypted by curves with curves, and others with RSA. */
  readonly algorithm: 'ec' | 'rsa';
}

/** Apple: "if the time of signing and the time of the transaction differ by more than a few minutes". */
export const SIGNING_TIME_DIFFERENCE_MS = 5 * 60 * 1_000;
/** Nested values, and values at all: Apple's have a third of that. A parser must not run for long. */
const NESTING_MAX = 24;
const VALUES_MAX = 1_000;

const LEAF_MARKER = '1.2.840.113635.100.6.29';
const INTERMEDIATE_MARKER = '1.2.840.113635.100.6.2.14';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SHA256 = '2.16.840.1.101.3.4.2.1';
/** RSA's second: OpenSSL and others name the key where RFC 5754 wants key and hash. */
const SIGNATURE_ALGORITHMS = {
  ec: ['1.2.840.10045.4.3.2'],
  rsa: ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'],
} as const;
/** The tag of SET OF, under which attributes are signed, where the message has [0] (RFC 5652, 5.4). */
const SET_OF = 0x31;
const CONTEXT_SPECIFIC = 3;
/** Chains that are remembered: Apple has a handful at a time. */
const CHAINS_MAX = 64;
const NULL = '0500';

/** Why Apple has not signed the content just now; nothing if it has. */
export function refusalOfSignature(
  signature: AppleSignature,
  roots: AppleRoots,
  now: Date,
): WalletRefusal | undefined {
  const message = readMessage(signature.bytes);
  if (message === undefined) return 'unreadable';
  const chain = roots.chainOf(message);
  if (chain?.leaf.publicKey.asymmetricKeyType !== signature.algorithm) return 'wrongChain';
  if (!isSigned(message, signature, chain.leaf)) return 'altered';
  const signedAt = signingTime(message.signer);
  if (signedAt === undefined) return 'unreadable';
  return refusalOfTimes(chain.all, now) ?? refusalOfAge(now.getTime() - signedAt.getTime());
}

interface ReadCertificate {
  readonly parsed: X509Certificate;
  readonly fields: Certificate;
}

/** Certificates that lead from a signer to a root. */
interface Chain {
  readonly leaf: X509Certificate;
  readonly all: readonly X509Certificate[];
}

/** Roots, and the chains that were found to lead to them. */
export class AppleRoots {
  readonly #roots: readonly X509Certificate[];
  /** By the hash of all that they were made of: Apple signs for years with the same two certificates. */
  readonly #chains = new Map<string, Chain>();

  constructor(roots: readonly X509Certificate[]) {
    this.#roots = roots;
  }

  /** The chain of a message's signer; nothing if it leads to no root, or lacks Apple's marks. */
  chainOf(message: SignedMessage): Chain | undefined {
    const made = sha256(message.signerIdentifier, ...message.certificates).toString('base64');
    const known = this.#chains.get(made);
    if (known !== undefined) return known;
    const chain = chainOf(message, this.#roots);
    if (chain === undefined) return undefined;
    if (this.#chains.size >= CHAINS_MAX) this.#chains.clear();
    this.#chains.set(made, chain);
    return chain;
  }
}

/** The parts of a CMS message that Apple sends. */
interface SignedMessage {
  readonly signer: SignerInfo;
  readonly signerIdentifier: Buffer;
  readonly signedAttributes: Buffer;
  readonly certificates: readonly Buffer[];
}

/** The parts of the message; nothing if it is not just what Apple sends: one signer, two certificates. */
function readMessage(bytes: Buffer): SignedMessage | undefined {
  try {
    const limits = { maxDepth: NESTING_MAX, maxNodes: VALUES_MAX };
    const { offset, result } = fromBER(new Uint8Array(bytes), limits);
    const [type, content, ...more] = partsOf(result);
    if (offset !== bytes.length || more.length > 0) return undefined;
    // A parser overlooks lengths that do not fit and kinds that do not matter to it.
    if (!Buffer.from(result.toBER()).equals(bytes) || !isShaped(result)) return undefined;
    if (!(type instanceof ObjectIdentifier) || type.getValue() !== SIGNED_DATA) return undefined;
    const signedData = partsOf(content)[0];
    if (!(signedData instanceof Sequence)) return undefined;
    const certificates = signedData.valueBlock.value.find(isTagged);
    // The certificates are read only if nobody has read them before.
    signedData.valueBlock.value = signedData.valueBlock.value.filter((part) => !isTagged(part));
    const signed = AsnParser.fromASN(signedData, SignedData);
    const [signer] = signed.signerInfos;
    if (!isPlain(signed) || signer === undefined) return undefined;
    const signerParts = partsOf(partsOf(signedData.valueBlock.value.at(-1))[0]);
    const attributes = signerParts.find(isTagged);
    if (attributes === undefined || partsOf(certificates).length !== 2) return undefined;
    return {
      signer,
      signerIdentifier: bytesOf(signerParts[1]),
      signedAttributes: bytesOf(attributes),
      certificates: partsOf(certificates).map(bytesOf),
    };
  } catch {
    // Neither BER nor what a signature has: the parsers say both by throwing.
    return undefined;
  }
}

/** Whether its values are of the kinds that RFC 5652 names, from the outermost to those of the signer. */
function isShaped(message: AsnType): boolean {
  const [, content] = partsOf(message);
  const [signedData] = partsOf(content);
  const [, digests, contents] = partsOf(signedData);
  const signers = partsOf(signedData).at(-1);
  const [signer] = partsOf(signers);
  const [, identifier, digest] = partsOf(signer);
  const sequences = [
    message,
    signedData,
    contents,
    signer,
    identifier,
    digest,
    partsOf(digests)[0],
  ];
  return (
    sequences.every((value) => value instanceof Sequence && value.idBlock.isConstructed) &&
    [digests, signers].every((value) => value instanceof Set && value.idBlock.isConstructed) &&
    [content].every((value) => value !== undefined && isTagged(value))
  );
}

/** What a value with parts consists of. */
function partsOf(value: AsnType | undefined): readonly AsnType[] {
  return value instanceof Constructed ? value.valueBlock.value : [];
}

/** Whether it is what the standard calls [0]. */
function isTagged({ idBlock }: AsnType): boolean {
  return idBlock.tagClass === CONTEXT_SPECIFIC && idBlock.tagNumber === 0;
}

function bytesOf(value: AsnType | undefined): Buffer {
  return Buffer.from(value?.valueBeforeDecodeView ?? []);
}

/** Nothing beside what is checked: no contents of its own, no revocations, no unsigned attributes. */
function isPlain({ version, digestAlgorithms, encapContentInfo, ...rest }: SignedData): boolean {
  const [signer] = rest.signerInfos;
  return (
    version === CMSVersion.v1 &&
    digestAlgorithms.length === 1 &&
    rest.signerInfos.length === 1 &&
    digestAlgorithms.every(isSha256) &&
    encapContentInfo.eContentType === DATA &&
    encapContentInfo.eContent === undefined &&
    rest.crls === undefined &&
    signer?.version === CMSVersion.v1 &&
    isSha256(signer.digestAlgorithm) &&
    signer.unsignedAttrs === undefined
  );
}

function isSha256(algorithm: AlgorithmIdentifier): boolean {
  return algorithm.algorithm === SHA256 && hasNoParameters(algorithm);
}

function hasNoParameters({ parameters }: AlgorithmIdentifier): boolean {
  return (
    parameters === undefined ||
    parameters === null ||
    Buffer.from(parameters).toString('hex') === NULL
  );
}

function chainOf(
  { signer, certificates }: SignedMessage,
  roots: readonly X509Certificate[],
): Chain | undefined {
  const read = certificates.map(readCertificate);
  const leaf = read.find((one) => one !== undefined && isOf(signer, one.fields));
  const intermediate = read.find((one) => one !== leaf);
  if (leaf === undefined || intermediate === undefined) return undefined;
  const root = rootOf(leaf, intermediate, roots);
  if (root === undefined) return undefined;
  return { leaf: leaf.parsed, all: [leaf.parsed, intermediate.parsed, root] };
}

function readCertificate(bytes: Buffer): ReadCertificate | undefined {
  try {
    return { fields: AsnParser.parse(bytes, Certificate), parsed: new X509Certificate(bytes) };
  } catch {
    return undefined;
  }
}

function isOf({ sid }: SignerInfo, { tbsCertificate }: Certificate): boolean {
  const named = sid.issuerAndSerialNumber;
  if (named === undefined) return false;
  return (
    bytesEqual(named.serialNumber, tbsCertificate.serialNumber) &&
    bytesEqual(AsnConvert.serialize(named.issuer), AsnConvert.serialize(tbsCertificate.issuer))
  );
}

function bytesEqual(one: ArrayBuffer, other: ArrayBuffer): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}

/** The root to which leaf and intermediate lead; nothing if they lead to none, or lack Apple's marks. */
function rootOf(
  leaf: ReadCertificate,
  intermediate: ReadCertificate,
  roots: readonly X509Certificate[],
): X509Certificate | undefined {
  if (!isMarked(leaf, LEAF_MARKER) || !isMarked(intermediate, INTERMEDIATE_MARKER))
    return undefined;
  const { parsed } = intermediate;
  if (leaf.parsed.ca || !parsed.ca || !isIssued(leaf.parsed, parsed)) return undefined;
  return roots.find((root) => root.ca && isIssued(parsed, root));
}

function isMarked({ fields }: ReadCertificate, marker: string): boolean {
  const extensions = fields.tbsCertificate.extensions ?? [];
  return extensions.some(({ extnID }) => extnID === marker);
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isSigned(
  { signer, signedAttributes }: SignedMessage,
  signature: AppleSignature,
  leaf: X509Certificate,
): boolean {
  const { signatureAlgorithm } = signer;
  const algorithms: readonly string[] = SIGNATURE_ALGORITHMS[signature.algorithm];
  if (!algorithms.includes(signatureAlgorithm.algorithm)) return false;
  if (!hasNoParameters(signatureAlgorithm)) return false;
  const signed = Buffer.from(signedAttributes);
  signed[0] = SET_OF;
  if (!verifies(signed, leaf, Buffer.from(signer.signature.buffer))) return false;
  const [type, digest] = [valueOf(signer, CONTENT_TYPE), valueOf(signer, MESSAGE_DIGEST)];
  if (type === undefined || digest === undefined) return false;
  return isDigestOf(signature.content, digest) && isData(type);
}

function verifies(signed: Buffer, { publicKey }: X509Certificate, signature: Buffer): boolean {
  try {
    return verify('sha256', signed, publicKey, signature);
  } catch {
    return false;
  }
}

/** The OBJECT IDENTIFIER of plain data, in DER. */
const DATA_IN_DER = Buffer.from('06092a864886f70d010701', 'hex');

function isData(value: ArrayBuffer): boolean {
  return DATA_IN_DER.equals(Buffer.from(value));
}

function isDigestOf(content: Buffer, value: ArrayBuffer): boolean {
  try {
    return sha256(content).equals(Buffer.from(AsnParser.parse(value, OctetString).buffer));
  } catch {
    return false;
  }
}

function signingTime(signer: SignerInfo): Date | undefined {
  const value = valueOf(signer, SIGNING_TIME);
  if (value === undefined) return undefined;
  try {
    const time = AsnParser.parse(value, Time).getTime();
    return Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}

/** The one value of the signed attribute; nothing if it is there twice or has several. */
function valueOf({ signedAttrs = [] }: SignerInfo, type: string): ArrayBuffer | undefined {
  const found: readonly Attribute[] = signedAttrs.filter(({ attrType }) => attrType === type);
  const [value, ...more] = found.flatMap(({ attrValues }) => attrValues);
  return found.length === 1 && more.length === 0 ? value : undefined;
}

function refusalOfTimes(
  certificates: readonly X509Certificate[],
  now: Date,
): WalletRefusal | undefined {
  if (certificates.some(({ validTo }) => now.getTime() > Date.parse(validTo))) return 'expired';
  if (certificates.some(({ validFrom }) => now.getTime() < Date.parse(validFrom))) return 'early';
  return undefined;
}

function refusalOfAge(ageMs: number): WalletRefusal | undefined {
  if (ageMs > SIGNING_TIME_DIFFERENCE_MS) return 'expired';
  return ageMs < -SIGNING_TIME_DIFFERENCE_MS ? 'early' : undefined;
}
