/** What a merchant's own 3-D Secure server found out, as it was sent (Interface 2.17). */
export interface ExternalProof {
  /** `paymentBrand`. */
  readonly brand: string;
  readonly eci?: string;
  readonly verificationId?: string;
  readonly authenticationStatus?: string;
  readonly dsTransactionId?: string;
  readonly version?: string;
}

/** A value that does not agree with the others. */
export interface ExternalProofFault {
  readonly parameter: string;
  readonly message: string;
}

/** Brands whose networks say 02 and 01 for what the others call 05 and 06 (result codes, section 7). */
const brandsOfMastercard: ReadonlySet<string> = new Set(['MASTER', 'MAESTRO', 'UNIONPAY']);

/** 28 characters of base64 are 20 bytes, so the last of them is padding. */
const cryptogramPattern = /^[A-Za-z0-9+/]{27}=$/;

interface Rule {
  readonly parameter: string;
  readonly message: string;
  readonly isBroken: (proof: ExternalProof) => boolean;
}

/** A row per way in which values disagree. What is absent disagrees only where it is demanded. */
const rules: readonly Rule[] = [
  {
    parameter: 'threeDSecure.eci',
    message:
      'says that the shopper was authenticated or that it was attempted, in the way of other brands',
    isBroken: ({ brand, eci }) => includes(ofOtherBrands(brand), eci),
  },
  {
    parameter: 'threeDSecure.eci',
    message: 'says something else than threeDSecure.authenticationStatus',
    isBroken: saysSomethingElse,
  },
  {
    parameter: 'threeDSecure.verificationId',
    message: 'is demanded with threeDSecure.authenticationStatus Y or A',
    isBroken: (proof) =>
      includes(['Y', 'A'], proof.authenticationStatus) && proof.verificationId === undefined,
  },
  {
    parameter: 'threeDSecure.verificationId',
    message: 'is not base64 of 20 bytes',
    isBroken: ({ verificationId }) =>
      verificationId !== undefined && !cryptogramPattern.test(verificationId),
  },
  {
    parameter: 'threeDSecure.dsTransactionId',
    message: 'is demanded with threeDSecure.version 2',
    isBroken: (proof) =>
      proof.version?.startsWith('2.') === true && proof.dsTransactionId === undefined,
  },
];

/** What of an external server's values does not agree with the rest; nothing where all do. */
export function externalProofFaults(proof: ExternalProof): readonly ExternalProofFault[] {
  return rules
    .filter(({ isBroken }) => isBroken(proof))
    .map(({ parameter, message }) => ({ parameter, message }));
}

function ofOtherBrands(brand: string): readonly string[] {
  return brandsOfMastercard.has(brand) ? ['05', '06'] : ['01', '02'];
}

/**
 * Y is full and A attempted authentication, and only they are; N and U have neither. Other values
 * (03, 04, 08) are a network's own and left to the acquirer.
 */
function saysSomethingElse({ brand, eci, authenticationStatus }: ExternalProof): boolean {
  const [full, attempted] = brandsOfMastercard.has(brand) ? ['02', '01'] : ['05', '06'];
  switch (authenticationStatus) {
    case 'Y':
      return includes([attempted, '07'], eci);
    case 'A':
      return includes([full, '07'], eci);
    case 'N':
    case 'U':
      return includes([full, attempted], eci);
    default:
      return false;
  }
}

function includes(values: readonly (string | undefined)[], value: string | undefined): boolean {
  return value !== undefined && values.includes(value);
}
