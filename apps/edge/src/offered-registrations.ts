import type { CheckoutToComplete, InstrumentKind, Mode, RegistrationView } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { type NamedRegistration, namedRegistrations, REGISTRATION_ID } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { refuseViolations } from './checked-form.js';
import { UNAVAILABLE } from './refusals.js';
import type { RegisteredInstruments } from './registered-instruments.js';
import { modeReferredTo } from './request-context.js';

/** What a request says of stored accounts, once they are known. */
export interface Offered {
  /** In the order in which the form offers them; undefined where none is named. */
  readonly registrations?: readonly TransactionId[];
  /** That of the accounts, which their payments have, too (D-64). */
  readonly mode: Mode;
}

/** The stored accounts between which a checkout's shopper chooses (wire contract 3). */
export class OfferedRegistrations {
  constructor(private readonly registered: Pick<RegisteredInstruments, 'find'>) {}

  /**
   * Looks up what a checkout names: `registrations[n].id`, or one by `registrationId`.
   * @throws Refused with each that the asking channel does not have, or has no more, and where modes differ
   */
  async named(admitted: AdmittedRequest): Promise<Offered> {
    const named = namedRegistrations(admitted.form);
    const only = admitted.form.get(REGISTRATION_ID);
    const all: readonly NamedRegistration[] =
      only === undefined ? named : [...named, { name: REGISTRATION_ID, id: only }];
    const found = await Promise.all(
      all.map(async ({ name, id }) => ({ name, view: await this.#usable(admitted, id) })),
    );
    const missing = found.filter(({ view }) => view === undefined);
    refuseViolations(missing.map(({ name }) => ({ name, message: NOT_STORED })));
    const views = found.flatMap(({ view }) => view ?? []);
    const mode = modeOf(admitted, views);
    if (named.length === 0) return { mode };
    return { mode, registrations: views.map(({ id }) => id) };
  }

  /** What the form of a checkout shows, of what can be paid with by now. */
  async shown(
    admitted: Pick<AdmittedRequest, 'access'>,
    { parameters, registrations = [] }: CheckoutToComplete,
  ): Promise<readonly RegistrationView[]> {
    const only = parameters[REGISTRATION_ID];
    const ids = only === undefined ? registrations : [only];
    const found = await Promise.all(ids.map((id) => this.#usable(admitted, id)));
    return found.flatMap((view) => view ?? []);
  }

  /** What an account is that is stored; undefined if it can be paid with no more. */
  async kindOf(
    admitted: Pick<AdmittedRequest, 'access'>,
    id: string,
  ): Promise<InstrumentKind | undefined> {
    const view = await this.#usable(admitted, id);
    return view?.instrument?.kind;
  }

  async #usable(
    admitted: Pick<AdmittedRequest, 'access'>,
    id: string,
  ): Promise<RegistrationView | undefined> {
    const view = await this.registered.find(admitted, id);
    if (view?.isBehind === true) throw new Refused(UNAVAILABLE);
    return view?.state === 'kept' ? view : undefined;
  }
}

const NOT_STORED = 'names no registration of this channel that can be paid with';

function modeOf(admitted: AdmittedRequest, views: readonly RegistrationView[]): Mode {
  if (views.length === 0) return admitted.mode;
  const [mode, ...others] = new Set(views.map((view) => modeReferredTo(admitted, view.mode)));
  if (mode === undefined || others.length > 0) throw new Refused({ code: codes.modeDiffers });
  return mode;
}
