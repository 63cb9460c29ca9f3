import type { Projection } from '@sluice/projections';
import { registrations } from './projections/registrations.projection.js';
import { schedules } from './projections/schedules.projection.js';
import { transactions } from './projections/transactions.projection.js';

/** Every read model that reporting makes of events; a new one is added here and nowhere else. */
export const projections: readonly Projection[] = [transactions, registrations, schedules];
