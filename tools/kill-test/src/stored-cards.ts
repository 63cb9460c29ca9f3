import { promisedOutcome } from './compare.js';
import { whenAnswered } from './gateway-side.js';
import type { Merchant } from './merchant.js';
import type { Attempt, MerchantRequest, Violation } from './records.js';

const APPROVED = '000.100.110';
const OK = 200;
/** Far below what a channel may read in a second. */
const READERS = 4;

type Answered = Extract<Attempt, { kind: 'answered' }>;

/** What `GET /v1/registrations/{id}` says at the end. */
export type RegistrationReads = ReadonlyMap<string, Pick<Answered, 'status' | 'code'>>;

/** Reads every registration that an approval has named. */
export async function readRegistrations(
  merchant: Merchant,
  url: string,
): Promise<RegistrationReads> {
  const ids = [...new Set(merchant.records().flatMap(namedRegistrations))];
  const reads = new Map<string, Pick<Answered, 'status' | 'code'>>();
  const read = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const wanted = id;
      reads.set(id, await whenAnswered(() => merchant.readRegistration(url, wanted)));
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return reads;
}

/**
 * What must not be of cards that were to be stored with their payment (`createRegistration`): an
 * approval that names no registration, or one that is not there, and two of one key; and a payment with
 * what was stored that is refused, but with the code by which the simulator was told to decline.
 */
export function storedCardViolations(
  requests: readonly MerchantRequest[],
  reads: RegistrationReads,
): readonly Violation[] {
  return requests.flatMap((request) => {
    const { reference: subject } = request;
    const approvals = approvalsOf(request);
    const named = namedRegistrations(request);
    const isUnnamed = request.storesCard === true && named.length < approvals.length;
    const isNamedTwice = new Set(named).size > 1 && request.idempotencyKey !== undefined;
    const refusals = request.storedBy === undefined ? [] : refusalsOf(request);
    const lost = named.filter((id) => !isKept(reads.get(id)));
    return [
      ...(isUnnamed ? [violation('stored card not named', subject, 'an approval names none')] : []),
      ...(isNamedTwice ? [violation('one key, two registrations', subject, named.join(', '))] : []),
      ...refusals.map((code) => violation('stored and refused', subject, code)),
      ...lost.map((id) => {
        const { status, code } = reads.get(id) ?? {};
        return violation('stored card lost', subject, `GET ${id}: HTTP ${status} ${code}`);
      }),
    ];
  });
}

function approvalsOf({ attempts }: MerchantRequest): readonly Answered[] {
  return attempts.filter(
    (attempt): attempt is Answered => attempt.kind === 'answered' && attempt.code === APPROVED,
  );
}

function refusalsOf({ attempts, forcedCode }: MerchantRequest): readonly string[] {
  const codes = attempts.flatMap((attempt) => (attempt.kind === 'answered' ? [attempt.code] : []));
  return [...new Set(codes)].filter(
    (code) => code !== forcedCode && promisedOutcome(code) === 'declined',
  );
}

function namedRegistrations(request: MerchantRequest): readonly string[] {
  return approvalsOf(request).flatMap(({ registrationId }) => registrationId ?? []);
}

function isKept(read: Pick<Answered, 'status' | 'code'> | undefined): boolean {
  return read?.status === OK && read.code === APPROVED;
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
