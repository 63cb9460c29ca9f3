import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RevealedInstrument, walletBrands } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { SECOND_SLUICE_WITHIN_MS, type SecondSluice, startSecondSluice } from '@sluice/testing';
import type { ConnectorRequest, RequestParameters } from '../connector.js';
import { connectorContract } from '../contract/connector-contract-fixture.js';
import { bearer } from './gateway-address.js';
import { PlatformConnector } from './platform-connector.js';
import { CARD, connectorTo, debit, platformSubject } from './platform-subject-fixture.js';

const TIMEOUT_MS = 5_000;
const limits = { callTimeoutMs: TIMEOUT_MS, maxInFlightMs: 0, connectionsMax: 1 };

let gateway: SecondSluice;

beforeAll(async () => {
  gateway = await startSecondSluice();
}, SECOND_SLUICE_WITHIN_MS);

afterAll(() => gateway.stop());

connectorContract(platformSubject(() => gateway));

/** What becomes of a debit of 92.00 EUR, with this in place of what it usually has. */
async function outcomeOf(
  asked: Partial<ConnectorRequest>,
  instrument?: RevealedInstrument,
  connector = connectorTo(gateway.url, gateway),
) {
  const submission = debit();
  const request = { ...submission.request, ...asked };
  const options = { timeoutMs: TIMEOUT_MS, beginByMs: performance.now() + TIMEOUT_MS };
  const outcome = await connector.submit(request, instrument ?? submission.instrument, options);
  await connector.close();
  return { outcome, entries: await gateway.entries(request.acquirerReference) };
}

describe('a payment at another Sluice', () => {
  const accounts: readonly (readonly [
    brand: string,
    kind: RevealedInstrument['kind'],
    details: Readonly<Record<string, string>>,
    parameters: RequestParameters,
  ])[] = [
    [
      'DIRECTDEBIT_SEPA',
      'bankAccount',
      { 'bankAccount.iban': 'DE89370400440532013000' },
      { bankAccount: { holder: 'Jane Jones', bic: 'MARKDEF1100', country: 'DE' } },
    ],
    [
      'VISA',
      'tokenAccount',
      {
        'tokenAccount.number': '4200000000000000',
        'tokenAccount.expiryMonth': '05',
        'tokenAccount.expiryYear': '2034',
      },
      { tokenAccount: { type: 'NETWORK' } },
    ],
    [
      'GIFTCARD',
      'giftCard',
      { 'giftCard.number': '6006491260550218', 'giftCard.pin': '4821' },
      { giftCard: { holder: 'Mary Morstan' } },
    ],
  ];
  it.each(accounts)('by %s (%s) is approved', async (brand, kind, texts, parameters) => {
    const details = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, new Detail(text)]),
    );
    const { outcome, entries } = await outcomeOf({ brand, parameters }, { kind, details });
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(entries).toMatchObject([{ paymentBrand: brand }]);
  });

  it.each(['applePay', 'googlePay', 'samsungPay', 'clickToPay'] as const)(
    'by a card out of %s is one by wallet there, with its proof',
    async (name) => {
      const { 'card.cvv': _, ...card } = CARD.details;
      const proof = new Detail('AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
      const { outcome, entries } = await outcomeOf(
        { wallet: { name, numberType: 'DPAN' }, parameters: { threeDSecure: { eci: '07' } } },
        { kind: 'card', details: { ...card, 'threeDSecure.verificationId': proof } },
      );
      expect(outcome).toMatchObject({ kind: 'approved' });
      expect(entries).toMatchObject([{ paymentMethod: 'WA', paymentBrand: walletBrands[name] }]);
    },
  );

  it('by a wrong PIN of a gift card is declined as there', async () => {
    const details = { 'giftCard.number': '6006491260550218', 'giftCard.pin': '0000' };
    const texts = Object.entries(details).map(([name, text]) => [name, new Detail(text)]);
    const giftCard = { kind: 'giftCard', details: Object.fromEntries(texts) } as const;
    const { outcome } = await outcomeOf({ brand: 'GIFTCARD' }, giftCard);
    expect(outcome).toMatchObject({ kind: 'declined', resultCode: '800.100.166' });
  });

  it('of the test system of a processor says so', async () => {
    const { outcome, entries } = await outcomeOf({ mode: 'EXTERNAL' });
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(entries).toMatchObject([{ result: { code: '000.100.112' } }]);
  });

  it('has the terms of its standing instruction', async () => {
    const terms = { type: 'UNSCHEDULED', mode: 'INITIAL', source: 'CIT' };
    const first = await outcomeOf({ parameters: { standingInstruction: terms } });
    expect(first.outcome).toMatchObject({ kind: 'approved' });
    expect(first.entries).toMatchObject([{ standingInstruction: terms }]);
    const later = { ...terms, mode: 'REPEATED', source: 'MIT', agreementId: 'agreement-1' };
    const next = await outcomeOf({ parameters: { standingInstruction: later } });
    expect(next.outcome).toMatchObject({ kind: 'approved' });
    expect(next.entries).toMatchObject([{ standingInstruction: later }]);
  });

  it.each([
    ['entity', { entityId: '0'.repeat(32) }],
    ['token', { accessToken: 'no-token-of-anybody' }],
  ])('is not performed where it does not accept our %s', async (_, changed) => {
    const connector = connectorTo(gateway.url, { ...gateway, ...changed });
    const { outcome, entries } = await outcomeOf({}, undefined, connector);
    expect(outcome).toEqual({ kind: 'notPerformed', reason: 'refused' });
    expect(entries).toEqual([]);
  });

  it('is not made where the internet does not lead to it, unless that is allowed', async () => {
    const { entityId, accessToken } = gateway;
    const authorization = bearer(accessToken);
    const access = { origin: gateway.url, entityId, authorization, isPrivate: false };
    const connector = new PlatformConnector({ access, ...limits });
    const { outcome } = await outcomeOf({}, undefined, connector);
    expect(outcome).toEqual({ kind: 'notPerformed', reason: 'notReachable' });
  });
});
