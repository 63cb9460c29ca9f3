import { codes, type ResultCode } from '@sluice/result-codes';

/** What a response code says of a request. */
export type Response =
  | 'approved'
  /** Approved for less than was asked. */
  | 'partial'
  /** The host does not take such a message. */
  | 'refused'
  /** Nobody knows; the same as for a code that has no row. */
  | 'uncertain'
  /** The original data name nothing that the host has. */
  | 'notFound'
  /** Approved, if it answers a message of such a type; otherwise the same as no row. */
  | { readonly approvesTypes: readonly string[] }
  | { readonly declined: ResultCode };

/**
 * What each response code (field 39 of 1987) becomes. A code without a row may be an approval in the host's
 * own dialect, so it is uncertain and never a decline.
 */
export const responses: Readonly<Record<string, Response>> = {
  '00': 'approved',
  '08': 'approved', // Honour with identification: it is booked.
  '11': 'approved',
  '10': 'partial',

  '30': 'refused', // Format error.
  '40': 'refused', // Function not supported.

  '09': 'uncertain', // Request in progress.
  '68': 'uncertain', // Response received too late.
  '94': 'uncertain', // Duplicate transmission: then what became of the first one?
  '96': 'uncertain', // System malfunction.

  '25': 'notFound', // Unable to locate the record.

  '01': { declined: codes.declinedByAuthorizationSystem },
  '02': { declined: codes.declinedByAuthorizationSystem },
  '03': { declined: '800.100.190' },
  '04': { declined: '800.100.171' },
  '05': { declined: codes.declinedByAuthorizationSystem },
  '06': { declined: '800.100.100' },
  '07': { declined: '800.100.171' },
  '12': { declined: '800.100.170' },
  '13': { declined: '800.100.174' },
  '14': { declined: '800.100.151' },
  '15': { declined: '800.100.151' },
  '21': { declined: '800.100.191' }, // No action taken.
  '33': { declined: '800.100.157' },
  '34': { declined: '800.100.158' },
  '36': { declined: '800.100.168' },
  '38': { declined: '800.100.178' },
  '39': { declined: '800.100.151' },
  '41': { declined: '800.100.165' },
  '43': { declined: '800.100.159' },
  '51': { declined: '800.100.203' },
  '54': { declined: '800.100.157' },
  '55': { declined: '800.100.166' },
  '57': { declined: '800.100.170' },
  '58': { declined: '800.100.190' },
  '59': { declined: '800.100.158' },
  '61': { declined: '800.100.162' },
  '62': { declined: '800.100.168' },
  '63': { declined: '800.100.154' },
  '64': { declined: '800.100.174' }, // The original amount was another one.
  '65': { declined: '800.100.163' },
  '75': { declined: '800.100.178' },
  '78': { declined: '800.100.160' },
  '82': { declined: '800.100.153' },
  '90': { declined: codes.acquirerDown }, // The host is closing its day.
  '91': { declined: codes.acquirerDown }, // The issuer cannot be reached.
  '92': { declined: codes.acquirerDown },
  '93': { declined: '800.100.170' },
  '1A': { declined: codes.softDecline }, // Authenticate the shopper first.
  N7: { declined: '800.100.153' },
};
