import { type AlertCase, critical, series } from './alert-case.js';

const ofScheduling = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  series(name, { service: 'scheduling', pod: 'scheduling-0', ...labels });

/** Those about schedules that are due. */
export const scheduleAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceSchedulesDue', because: 'nobody has dealt with them since they were due' },
    ...{ at: '15m', fires: [critical] },
    series: { [ofScheduling('sluice_schedules_due_seconds')]: '0+30x40' },
  },
  {
    ...{ alert: 'SluiceSchedulesDue', because: 'payments does not answer' },
    ...{ at: '15m', fires: [critical] },
    series: {
      [ofScheduling('sluice_schedule_charges_total', { outcome: 'unanswered' })]: '0+3x40',
      [ofScheduling('sluice_schedules_due_seconds')]: '5x40',
    },
  },
  {
    ...{
      alert: 'SluiceSchedulesDue',
      because: 'thousands were due at once, and are being charged',
    },
    ...{ at: '15m', fires: [] },
    series: {
      [ofScheduling('sluice_schedules_due_seconds')]: '0x10 60x1 0x40',
      [ofScheduling('sluice_schedule_charges_total', { outcome: 'decided' })]: '0+900x40',
      [ofScheduling('sluice_schedule_charges_total', { outcome: 'unanswered' })]: '0x40',
    },
  },
];
