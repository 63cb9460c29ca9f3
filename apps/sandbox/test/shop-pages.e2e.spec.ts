import { describe, expect, it } from '@jest/globals';
import { MONEY } from './demo-merchant-fixture.js';
import { ShopPageVisit } from './shop-page-fixture.js';
import { BROWSER_WITHIN_MS } from './shopper-fixture.js';

const visit = new ShopPageVisit();

describe('a page that sells places in courses', () => {
  it(
    'has its policy and its hash, is paid on, and says each of the errors in words of its own',
    async () => {
      const { id } = await visit.goTo('course-shop');
      await visit.isReady();
      expect(await visit.page.locator('#loading').count()).toBe(0);
      expect(await visit.styleOf('.wpwl-button-pay', 'backgroundColor')).toBe('rgb(15, 108, 191)');
      await visit.fill();
      await visit.page.route('**/v1/checkouts/*/payment', (route) =>
        route.fulfill({ status: 503, body: 'lost' }),
      );
      await visit.payButton.click();
      await visit.words('We could not reach the bank. Please try again.').waitFor();
      await visit.page.unroute('**/v1/checkouts/*/payment');
      await visit.payButton.click();
      expect(await visit.isPaid()).toMatchObject({ ndc: id, ...MONEY, paymentBrand: 'VISA' });
      // By the browser's history, to a checkout that is no more.
      await visit.page.goto(`${visit.shopUrl}/pay`);
      await visit.isReady();
      expect(await visit.payButton.isDisabled()).toBe(true);
      await visit.words('Your session is over. Please enrol again.').waitFor();
      await visit.page.route('**/widget.js', async (route) =>
        route.fulfill({ response: await route.fetch(), body: 'other()' }),
      );
      await visit.page.reload();
      await visit.words('The form does not load: The payment form could not be loaded.').waitFor();
      await visit.page.unroute('**/widget.js');
      await visit.page.clock.install();
      await visit.page.route('**/field.html', (route) =>
        route.fulfill({ contentType: 'text/html', body: 'blocked' }),
      );
      await visit.page.reload();
      await visit.frameOf('cvv').getByText('blocked').waitFor();
      await visit.page.clock.runFor(20_000);
      await visit.words('A field of the form does not load. Does a program block it?').waitFor();
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page that sells tickets', () => {
  it(
    'holds the form back for its terms and for a name, and styles fields and faults',
    async () => {
      await visit.goTo('ticket-shop');
      await visit.isReady();
      await visit.namedButton('Buy tickets').click();
      await visit.hint('cardNumberError').getByText('This is not the number of a card').waitFor();
      expect(await visit.styleOf('.wpwl-hint-cardNumberError', 'fontStyle')).toBe('italic');
      expect(await visit.styleOf('.wpwl-control.wpwl-has-error', 'borderColor')).toBe(
        'rgb(201, 48, 44)',
      );
      await visit.fill({ holder: '' });
      expect(await visit.code.getAttribute('type')).toBe('password');
      expect(await visit.number.getAttribute('style')).toContain('--placeholder-color: #7f5a91');
      await visit.namedButton('Buy tickets').click();
      expect(await visit.styleOf('label', 'color')).toBe('rgb(201, 48, 44)');
      await visit.page.locator('#terms').check();
      await visit.namedButton('Buy tickets').click();
      await visit.words('Please enter the name on the card').waitFor();
      await visit.control('cardHolder').fill('Jane Jones');
      // What the page has said of the name goes as what the form says does.
      expect(await visit.hint('cardHolderError').count()).toBe(0);
      expect(await visit.page.locator('.wpwl-has-error').count()).toBe(0);
      await visit.namedButton('Buy tickets').click();
      expect(await visit.isPaid()).toMatchObject({ card: { holder: 'Jane Jones' } });
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page of a plugin for hosted shops', () => {
  it(
    'offers stored cards first, takes the forms away and brings them back',
    async () => {
      const [visa = '', amex = ''] = await visit.storedCards();
      const offered = { 'registrations[0].id': visa, 'registrations[1].id': amex };
      const { id } = await visit.goTo('hosted-shop-plugin', { ...MONEY, ...offered });
      const code = visit.page.frameLocator('.wpwl-form-registrations iframe').getByRole('textbox');
      await code.waitFor();
      expect(await visit.form.isHidden()).toBe(true);
      expect(await visit.page.locator('#cards').getAttribute('data-checkout')).toBe(id);
      await visit.page.getByLabel('Rechnung').check();
      expect(await visit.page.locator('.wpwl-container').count()).toBe(0);
      expect(await visit.page.locator('form.paymentWidgets').count()).toBe(2);
      await visit.page.getByLabel('Kreditkarte').check();
      await code.waitFor();
      await visit.words('American Express').click();
      expect(await visit.styleOf('.wpwl-selected', 'backgroundColor')).toBe('rgb(255, 243, 224)');
      await code.fill('1234');
      await visit.page.locator('[data-action="submit-registration"]').click();
      expect(await visit.isPaid()).toMatchObject({ registrationId: amex, paymentBrand: 'AMEX' });
      // Another order, with a card that is entered and stored.
      await visit.goTo('hosted-shop-plugin', { ...MONEY, 'registrations[0].id': visa });
      await visit.page.locator('[data-action="show-initial-forms"]').click();
      expect(await visit.page.locator('#cards .wpwl-form:visible').count()).toBe(3);
      expect(
        await visit.styleOf('.wpwl-form-virtualAccount-PAYPAL .wpwl-button', 'backgroundColor'),
      ).toBe('rgb(255, 196, 57)');
      await visit.number.fill('4200000000000000');
      await visit.control('expiry').fill('0534');
      const codeOfCard = visit.page.frameLocator('.wpwl-form-card iframe.wpwl-control-cvv');
      await codeOfCard.getByRole('textbox').fill('123');
      await visit.form.locator('[name="createRegistration"]').check();
      await visit.form.locator('.wpwl-button-pay').click();
      const { registrationId } = await visit.isPaid();
      expect([visa, amex, undefined]).not.toContain(registrationId);
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page of a hosted shop in a frame of another', () => {
  it(
    'takes wallets and cards while it names what is not served yet, and goes on in the whole window',
    async () => {
      const { id } = await visit.goToFramed('hosted-shop-step');
      const step = visit.page.frameLocator('#step');
      const onSheet = (name: string) =>
        step.getByRole('dialog').getByRole('button', { name, exact: true });
      await visit.isReady();
      const reloaded = visit.page.waitForEvent('domcontentloaded');
      await step.locator('.wpwl-apple-pay-button:enabled').click();
      expect(await step.getByRole('dialog').locator('dd').first().innerText()).toBe('Corner Shop');
      // The page is loaded again by the callback.
      await onSheet('Cancel').click();
      await reloaded;
      await visit.isReady();
      await step.getByRole('button', { name: 'Click to Pay', disabled: false }).click();
      await step.getByRole('dialog', { name: 'Click to Pay' }).getByLabel('E-mail').waitFor();
      const again = visit.page.waitForEvent('domcontentloaded');
      await onSheet('Cancel').click();
      await again;
      await visit.isReady();
      await visit.fill();
      await visit.haveBankAsk();
      // Nobody scrolls to what covers a whole frame; the frame is whole in this window.
      await visit.page.setViewportSize({ width: 1000, height: 1000 });
      await visit.form.locator('.wpwl-button-pay').click();
      await step.frameLocator('.wpwl-target').getByRole('button', { name: 'Cancel' }).waitFor();
      await step.locator('.wpwl-popover > button').click();
      await visit.haveNoBankAsk();
      await visit.form.locator('.wpwl-button-pay').click();
      expect(await visit.isPaid()).toMatchObject({ ndc: id });
      expect(visit.page.url()).toContain('/result');
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page that takes donations', () => {
  it(
    'has a form for each way to pay, and holds each back until it has what it needs',
    async () => {
      await visit.goTo('donations');
      const ways = [
        'directDebit-DIRECTDEBIT_SEPA',
        'virtualAccount-PAYPAL',
        'onlineTransfer-IDEAL',
      ];
      const pay = (way: string) => visit.page.locator(`.wpwl-form-${way} .wpwl-button-pay`).click();
      await visit.words('Spenderin oder Spender').waitFor();
      // That it is optional is said by its label, and would not fit in.
      expect(
        await visit.page.locator(`.wpwl-form-${ways[1]} input`).getAttribute('placeholder'),
      ).toBe('Konto (E-Mail oder Telefonnummer)');
      await visit.control('accountHolder').fill('Jane Jones');
      await visit.control('accountIban').fill('DE23100000001234567891');
      await pay('directDebit-DIRECTDEBIT_SEPA');
      await visit.words('Diese IBAN stimmt nicht.').waitFor();
      await visit.control('accountIban').fill('');
      await visit.fillDebit();
      for (const way of ways) {
        await visit.host.evaluate("document.getElementById('missing').hidden = true");
        await pay(way);
        await visit.words('Bitte angeben.').waitFor();
      }
      await visit.page.locator('#receipt').fill('jane@shop.example');
      await pay('directDebit-DIRECTDEBIT_SEPA');
      expect(await visit.isPaid()).toMatchObject({ paymentBrand: 'DIRECTDEBIT_SEPA' });
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page that stores a card', () => {
  it(
    'leaves to the gateway what it asks it not to check, and comes back with what is stored',
    async () => {
      await visit.goTo('subscriptions', { createRegistration: 'true' });
      await visit.isReady();
      await visit.fill({ expiry: '0120', code: '' });
      await visit.control('cardHolder').press('Enter');
      expect(await visit.payButton.isEnabled()).toBe(true);
      await visit.namedButton('Empezar la suscripción').click();
      // It was sent: the form alone has said nothing of the date, nor of the code.
      await visit.form
        .getByRole('alert')
        .getByText(/rechazad/)
        .waitFor();
      await visit.control('expiry').fill('0534');
      await visit.code.fill('123');
      await visit.namedButton('Empezar la suscripción').click();
      const { id } = await visit.isPaid();
      expect(visit.returns[0]).toContain('%2Fregistration');
      expect(id).toMatch(/^[0-9a-f]{32}$/i);
      await visit.page.goto(`${visit.shopUrl}/pay`);
      await visit.isReady();
      expect(await visit.namedButton('Empezar la suscripción').isDisabled()).toBe(true);
      await visit.words('This checkout cannot be completed any more.').waitFor();
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page of a market', () => {
  it(
    'asks for the address, waits for the stock, and sends inputs of its own',
    async () => {
      let inStock = false;
      await visit.page.route('**/in-stock.json', (route) => route.fulfill({ json: { inStock } }));
      await visit.goTo('marketplace');
      await visit.isReady();
      await visit.fill();
      await visit.payButton.click();
      for (const name of ['street1', 'city', 'postcode'])
        await visit.hint(`${name}Error`).waitFor();
      for (const name of ['givenName', 'surname']) await visit.hint(`${name}Error`).waitFor();
      await visit.control('givenName').fill('Jane');
      await visit.control('surname').fill('Jones');
      await visit.control('taxNumber').fill('123-45-6789');
      await visit.control('street1').fill('Main Street');
      await visit.control('city').fill('Boston');
      await visit.control('postcode').fill('02108');
      await visit.page.locator('[name="createRegistration"]').check();
      await visit.page.locator('[name="recurring.numberOfInstallments"]').selectOption('3');
      await visit.namedButton('Continue').click();
      await visit.page.locator('.wpwl-group-summary').getByText('€92.00').waitFor();
      await visit.namedButton('Pay €92.00').click();
      await visit.words('This piece was sold a moment ago.').waitFor();
      expect(visit.returns).toEqual([]);
      inStock = true;
      await visit.payButton.click();
      expect(await visit.isPaid()).toMatchObject({
        ...{ registrationId: expect.any(String), customParameters: { SHOPPER_seller: 'potter-7' } },
        billing: { street1: 'Main Street', houseNumber1: '1', state: 'MA', country: 'US' },
        customer: { givenName: 'Jane', surname: 'Jones', identificationDocId: '123-45-6789' },
        recurring: { numberOfInstallments: '3' },
      });
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a page in Arabic', () => {
  it(
    'has the national cards first, in groups that it has put into another order',
    async () => {
      await visit.goTo('regional-shop');
      await visit.isReady();
      const groups = visit.host.evaluate(
        "Array.from(document.querySelectorAll('.wpwl-form-card > .wpwl-group'), ({ classList }) => classList[1])",
      );
      expect(await groups).toEqual([
        ...['wpwl-group-cardNumber', 'wpwl-group-brand', 'wpwl-group-expiry'],
        ...['wpwl-group-cardHolder', 'wpwl-group-cvv', 'wpwl-group-submit'],
      ]);
      expect(await visit.page.locator('.wpwl-container[dir="rtl"]').count()).toBe(7);
      expect(
        await visit.styleOf(
          '.wpwl-form-virtualAccount-STC_PAY .wpwl-button-pay',
          'backgroundColor',
        ),
      ).toBe('rgb(79, 0, 140)');
      expect(await visit.page.locator('.wpwl-group-paymentMode').isVisible()).toBe(false);
      expect(await visit.control('mobilePhone').isVisible()).toBe(true);
      const fee = visit.page.locator('#fee');
      await visit.number.fill('5454545454545454');
      await fee.waitFor();
      await visit.number.fill('');
      await visit.fill({ number: '5888450000000003' });
      await fee.waitFor({ state: 'hidden' });
      expect(await visit.styleOf('.wpwl-brand-MADA', 'width')).toBe('60px');
      await visit.form.locator('.wpwl-button-pay').click();
      expect(await visit.isPaid()).toMatchObject({ paymentBrand: 'MADA' });
      await visit.goTo('regional-shop');
      await visit.control('mobilePhone').fill('0500000678');
      await visit.page.locator('.wpwl-button-pay-STC_PAY').click();
      await visit.page.getByText('•••• 678').waitFor();
      await visit.choose('Pay');
      expect(await visit.isPaid()).toMatchObject({ paymentBrand: 'STC_PAY' });
      visit.expectAllToTakeEffect();
    },
    BROWSER_WITHIN_MS,
  );
});
