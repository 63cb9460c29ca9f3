import { promisedOutcome } from './compare.js';
import { whenAnswered } from './gateway-side.js';
import { grouped } from './grouped.js';
import { isStoredOnce, storedOnceNumber } from './instruments.js';
import type { Merchant } from './merchant.js';
import type { Attempt, MerchantRequest, Violation } from './records.js';

const APPROVED = '000.100.110';
const OK = 200;
/** Far below what a channel may read in a second. */
const READERS = 4;

type Answered = Extract<Attempt, { kind: 'answered' }>;

/** What `GET /v1/registrations/{id}` says of one at the end; the id is the one that it shows. */
type RegistrationRead = Pick<Answered, 'status' | 'code' | 'id'>;

/** All of them, by the id that was asked for. */
export type RegistrationReads = ReadonlyMap<string, RegistrationRead>;

/** Reads every registration that an approval has named. */
export async function readRegistrations(
  merchant: Merchant,
  url: string,
): Promise<RegistrationReads> {
  const named = merchant
    .records()
    .flatMap((request) =>
      namedRegistrations(request).map((id) => [id, request.reference] as const),
    );
  const left = [...new Map(named)];
  const reads = new Map<string, RegistrationRead>();
  const read = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [id, reference] = next;
      reads.set(id, await whenAnswered(() => merchant.readRegistration(url, id, reference)));
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return reads;
}

/**
 * What must not be of cards that were to be stored with their payment (`createRegistration`): an
 * approval that names no registration, or one that is not there, and two of one key; where there is one
 * for each card, two of a card, and one of two cards; and a payment with what was stored that is refused,
 * but with the code by which the simulator was told to decline.
 */
export function storedCardViolations(
  requests: readonly MerchantRequest[],
  reads: RegistrationReads,
): readonly Violation[] {
  // Whoever was told another id, because the vault was away, reads the same one by it (page 0060).
  const shown = (id: string): string => reads.get(id)?.id ?? id;
  const ofRequests = requests.flatMap((request) => {
    const { reference: subject } = request;
    const approvals = approvalsOf(request);
    const named = namedRegistrations(request);
    const isUnnamed = request.storesCard === true && named.length < approvals.length;
    const isNamedTwice = new Set(named.map(shown)).size > 1 && request.idempotencyKey !== undefined;
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
  return [...ofRequests, ...onceViolations(storedOnce(requests, shown))];
}

/** A registration that was named for a card, at the channel that has one for each. */
interface StoredOnce {
  readonly id: string;
  readonly card: string;
}

function storedOnce(
  requests: readonly MerchantRequest[],
  shown: (id: string) => string,
): readonly StoredOnce[] {
  return requests
    .filter(({ storesCard, instrument }) => storesCard === true && isStoredOnce(instrument))
    .flatMap((request) => {
      const card = storedOnceNumber(request.reference);
      return namedRegistrations(request).map((id) => ({ id: shown(id), card }));
    });
}

function onceViolations(stored: readonly StoredOnce[]): readonly Violation[] {
  const several = (rule: string, by: keyof StoredOnce, other: keyof StoredOnce): Violation[] =>
    [...grouped(stored, (each) => each[by])].flatMap(([subject, group]) => {
      const others = [...new Set(group.map((each) => each[other]))];
      return others.length > 1 ? [violation(rule, subject, others.join(', '))] : [];
    });
  return [
    ...several('one card, two registrations', 'card', 'id'),
    ...several('one registration, two cards', 'id', 'card'),
  ];
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

function isKept(read: RegistrationRead | undefined): boolean {
  return read?.status === OK && read.code === APPROVED;
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
