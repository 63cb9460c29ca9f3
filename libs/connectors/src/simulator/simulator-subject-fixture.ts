import { currency } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import { Detail } from '@sluice/secrets';
import type {
  AmountsOnTheWire,
  ContractSubject,
  Submission,
} from '../contract/contract-subject-fixture.js';
import { SimulatorConnector } from './simulator-connector.js';

const DECLINED_CODE = '800.100.151';

/** One count for all subjects of a test run: what one has booked is in the other's book. */
let references = 0;

/** The simulator's connector as the contract tries it, against the simulator at that address. */
export function simulatorSubject(acquirerUrl: () => string): ContractSubject {
  const debit = (testDirectives?: Readonly<Record<string, string>>): Submission => {
    references += 1;
    return {
      request: {
        acquirerReference: `contract-${String(references)}`,
        operation: 'debit',
        amount: { minor: 9200n, currency: currency('EUR') },
        mode: 'INTERNAL',
        ...(testDirectives !== undefined && { testDirectives }),
      },
      instrument: {
        kind: 'card',
        details: {
          'card.number': new Detail('4200000000000042'),
          'card.expiryMonth': new Detail('05'),
          'card.expiryYear': new Detail('2034'),
          'card.cvv': new Detail('918'),
        },
      },
    };
  };
  return {
    name: 'simulator',
    acquirerUrl,
    connectorTo: (url, connectionsMax) => new SimulatorConnector({ url, connectionsMax }),
    approved: () => debit(),
    declined: () => debit({ forceResultCode: DECLINED_CODE }),
    pending: () => debit({ forceResultCode: codes.pending }),
    redirected: () => {
      const { request } = debit({ 'simulator.precondition': 'hidden-frame' });
      const returnUrl = 'https://gate.example/return';
      return {
        request: { ...request, brand: 'PAYPAL', returnUrl },
        instrument: { kind: 'virtualAccount', details: {} },
      };
    },
    refused: () => debit({ 'simulator.fault': 'no such fault' }),
    bookings: async (reference) => {
      const text = await (await fetch(`${acquirerUrl()}/book`)).text();
      return text.split('\n').filter((line) => line.includes(`"reference":"${reference}"`)).length;
    },
    amounts,
    readsTestDirectives: true,
  };
}

const amounts: AmountsOnTheWire = {
  'EUR 92.00': '"amount":"92.00","currency":"EUR"',
  'EUR 0.01': '"amount":"0.01","currency":"EUR"',
  'EUR 15.99': '"amount":"15.99","currency":"EUR"',
  'EUR 9999999999.99': '"amount":"9999999999.99","currency":"EUR"',
  'USD 1.00': '"amount":"1.00","currency":"USD"',
  'USD 0.10': '"amount":"0.10","currency":"USD"',
  'USD 1234.56': '"amount":"1234.56","currency":"USD"',
  'USD 9999999999.99': '"amount":"9999999999.99","currency":"USD"',
  'GBP 3': '"amount":"3.00","currency":"GBP"',
  'GBP 0.07': '"amount":"0.07","currency":"GBP"',
  'GBP 70.07': '"amount":"70.07","currency":"GBP"',
  'GBP 9007199254.74': '"amount":"9007199254.74","currency":"GBP"',
  'JPY 100.00': '"amount":"100","currency":"JPY"',
  'JPY 1.00': '"amount":"1","currency":"JPY"',
  'JPY 9999999999.00': '"amount":"9999999999","currency":"JPY"',
  'KRW 50000.00': '"amount":"50000","currency":"KRW"',
  'KRW 7': '"amount":"7","currency":"KRW"',
  'KRW 9999999999': '"amount":"9999999999","currency":"KRW"',
  'VND 20000.00': '"amount":"20000","currency":"VND"',
  'VND 3.00': '"amount":"3","currency":"VND"',
  'VND 9999999999.00': '"amount":"9999999999","currency":"VND"',
  'CLP 990.00': '"amount":"990","currency":"CLP"',
  'CLP 10': '"amount":"10","currency":"CLP"',
  'CLP 1000000000.00': '"amount":"1000000000","currency":"CLP"',
  'KWD 10.00': '"amount":"10.000","currency":"KWD"',
  'KWD 0.01': '"amount":"0.010","currency":"KWD"',
  'KWD 12.34': '"amount":"12.340","currency":"KWD"',
  'KWD 9999999999.99': '"amount":"9999999999.990","currency":"KWD"',
  'BHD 1.00': '"amount":"1.000","currency":"BHD"',
  'BHD 0.99': '"amount":"0.990","currency":"BHD"',
  'BHD 250': '"amount":"250.000","currency":"BHD"',
  'BHD 9999999999.99': '"amount":"9999999999.990","currency":"BHD"',
  'TND 5.50': '"amount":"5.500","currency":"TND"',
  'TND 0.05': '"amount":"0.050","currency":"TND"',
  'TND 100.00': '"amount":"100.000","currency":"TND"',
  'TND 9999999999.99': '"amount":"9999999999.990","currency":"TND"',
  'OMR 7.07': '"amount":"7.070","currency":"OMR"',
  'OMR 0.10': '"amount":"0.100","currency":"OMR"',
  'OMR 1000.01': '"amount":"1000.010","currency":"OMR"',
  'OMR 9999999999.99': '"amount":"9999999999.990","currency":"OMR"',
  'CLF 1.00': '"amount":"1.0000","currency":"CLF"',
  'CLF 0.01': '"amount":"0.0100","currency":"CLF"',
  'CLF 38.50': '"amount":"38.5000","currency":"CLF"',
  'CLF 9999999999.99': '"amount":"9999999999.9900","currency":"CLF"',
  'UYW 2.00': '"amount":"2.0000","currency":"UYW"',
  'UYW 0.50': '"amount":"0.5000","currency":"UYW"',
  'UYW 17.17': '"amount":"17.1700","currency":"UYW"',
  'UYW 9999999999.99': '"amount":"9999999999.9900","currency":"UYW"',
  'ZAR 10.00': '"amount":"10.00","currency":"ZAR"',
  'ZAR 0.99': '"amount":"0.99","currency":"ZAR"',
  'ZAR 1500.50': '"amount":"1500.50","currency":"ZAR"',
  'ZAR 9999999999.99': '"amount":"9999999999.99","currency":"ZAR"',
};
