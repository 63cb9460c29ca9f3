import { type AlertCase, critical, series, warning } from './alert-case.js';

const ofSepa = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  series(name, { service: 'sepa', pod: 'sepa-0', ...labels });

/** Those about files for a bank and from it. */
export const bankAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceBankFilesStuck', because: 'the vault has lost an account of a file' },
    ...{ at: '30m', fires: [critical] },
    series: { [ofSepa('sluice_bank_files_unwritten')]: '0x5 1x60' },
  },
  {
    ...{ alert: 'SluiceBankFilesStuck', because: 'payments is away' },
    ...{ at: '30m', fires: [critical] },
    series: { [ofSepa('sluice_bank_returns_unreported')]: '0x5 3x60' },
  },
  {
    ...{ alert: 'SluiceBankFilesStuck', because: 'no file was made for more than a day' },
    ...{ at: '30m', fires: [critical] },
    series: { [ofSepa('sluice_bank_orders_waiting_seconds')]: '95000x60' },
  },
  {
    ...{ alert: 'SluiceBankFilesStuck', because: 'orders wait for the file of today' },
    ...{ at: '30m', fires: [] },
    series: {
      [ofSepa('sluice_bank_files_unwritten')]: '0x5 1x2 0x60',
      [ofSepa('sluice_bank_returns_unreported')]: '0x60',
      [ofSepa('sluice_bank_orders_waiting_seconds')]: '80000x60',
    },
  },
  {
    ...{ alert: 'SluiceBankFileRefused', because: 'the bank sends another version' },
    ...{ at: '40m', fires: [warning] },
    series: { [ofSepa('sluice_bank_files_total', { outcome: 'refused' })]: '0x20 1x100' },
  },
  {
    ...{ alert: 'SluiceBankFileRefused', because: 'files are read, or one was refused long ago' },
    ...{ at: '2h', fires: [] },
    series: {
      [ofSepa('sluice_bank_files_total', { outcome: 'refused' })]: '0x20 1x200',
      [ofSepa('sluice_bank_files_total', { outcome: 'read' })]: '0+1x200',
    },
  },
  {
    ...{ alert: 'SluiceBankCaseOpened', because: 'a return names no order' },
    ...{ at: '40m', fires: [{ ...warning, outcome: 'unknownOrder' }] },
    series: {
      [ofSepa('sluice_bank_file_entries_total', { outcome: 'unknownOrder' })]: '0x20 1x100',
    },
  },
  {
    ...{ alert: 'SluiceBankCaseOpened', because: 'debits are accepted and returned' },
    ...{ at: '40m', fires: [] },
    series: {
      [ofSepa('sluice_bank_file_entries_total', { outcome: 'moved' })]: '0+9x100',
      [ofSepa('sluice_bank_file_entries_total', { outcome: 'takenBack' })]: '0+1x100',
      [ofSepa('sluice_bank_file_entries_total', { outcome: 'nothing' })]: '0+1x100',
    },
  },
];
