import { type Instrument, shownInstrument } from '@sluice/contracts';
import { type Form, indicatorFault } from '@sluice/parameters';
import { Refused } from './answer.js';
import { invalidParameters } from './refusals.js';

/**
 * Refuses what an external server found out of another network's card than is paid with (Interface 2.17). The
 * catalogue does where the form tells the card; of what is stored, and of a wallet, it is known here. @throws Refused
 */
export function refuseForeignIndicator(instrument: Instrument, form: Form): void {
  const fault = indicatorFault(form, shownInstrument(instrument));
  if (fault !== undefined) throw new Refused(invalidParameters(fault));
}
