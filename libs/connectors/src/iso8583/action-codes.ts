import { codes } from '@sluice/result-codes';
import type { Response } from './response-codes.js';

/**
 * What each action code (field 39 of 1993) becomes. A code without a row may be an approval in the
 * host's own dialect, so it is uncertain and never a decline, as in `response-codes.ts`.
 */
export const actionCodes: Readonly<Record<string, Response>> = {
  '000': 'approved',
  '001': 'approved', // Honour with identification: it is booked.
  '003': 'approved',
  '004': 'approved',
  '005': 'approved',
  '007': 'approved',
  '002': 'partial',
  '006': 'partial',
  // Accepted, and said of nothing else.
  '400': { approvesTypes: ['1420', '1421'] },
  '901': { approvesTypes: ['1220'] },

  '115': 'refused', // Function not supported.
  '904': 'refused', // Format error.

  '900': 'uncertain', // Acknowledged, but nobody is liable: whether it is paid a person has to ask.
  '909': 'uncertain', // System malfunction.
  '911': 'uncertain', // The issuer did not answer in time.
  '913': 'uncertain', // Duplicate transmission: then what became of the first one?
  '923': 'uncertain', // Request in progress.

  '914': 'notFound', // Not able to trace back the original.

  '100': { declined: codes.declinedByAuthorizationSystem },
  '101': { declined: '800.100.157' },
  '102': { declined: '800.100.158' },
  '103': { declined: codes.declinedByAuthorizationSystem },
  '104': { declined: '800.100.168' },
  '105': { declined: codes.declinedByAuthorizationSystem },
  '106': { declined: '800.100.178' },
  '107': { declined: codes.declinedByAuthorizationSystem },
  '108': { declined: codes.declinedByAuthorizationSystem },
  '109': { declined: '800.100.190' },
  '110': { declined: '800.100.174' },
  '111': { declined: '800.100.151' },
  '112': { declined: '800.100.170' }, // A PIN is wanted, which nobody can enter here.
  '113': { declined: codes.declinedByAuthorizationSystem },
  '114': { declined: '800.100.151' },
  '116': { declined: '800.100.203' },
  '117': { declined: '800.100.166' },
  '118': { declined: '800.100.151' },
  '119': { declined: '800.100.170' },
  '120': { declined: '800.100.190' },
  '121': { declined: '800.100.162' },
  '122': { declined: '800.100.154' },
  '123': { declined: '800.100.163' },
  '124': { declined: '800.100.170' },
  '125': { declined: '800.100.160' },
  '129': { declined: '800.100.158' },

  // The same, and the card is to be kept, which nobody can do here.
  '200': { declined: '800.100.171' },
  '201': { declined: '800.100.157' },
  '202': { declined: '800.100.158' },
  '203': { declined: '800.100.171' },
  '204': { declined: '800.100.168' },
  '205': { declined: '800.100.171' },
  '206': { declined: '800.100.178' },
  '207': { declined: '800.100.171' },
  '208': { declined: '800.100.165' },
  '209': { declined: '800.100.159' },
  '210': { declined: '800.100.158' },

  '902': { declined: '800.100.170' }, // Invalid transaction.
  '905': { declined: '800.100.190' }, // The acquirer is not known there.
  '906': { declined: codes.acquirerDown }, // The host is closing its day.
  '907': { declined: codes.acquirerDown }, // The issuer cannot be reached.
  '908': { declined: codes.acquirerDown },
  '910': { declined: codes.acquirerDown },
  '912': { declined: codes.acquirerDown },
};
