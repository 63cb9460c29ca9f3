import type { AccountFormKind, AccountOf } from './account-form-kind.js';

/** What is known of a method by which shoppers pay at their bank. */
interface Method {
  readonly title: string;
  /** Where it is used: one is sent as it is, and of several the shopper chooses one. */
  readonly countries: string;
}

const METHODS: ReadonlyMap<string, Method> = new Map(
  [
    ['SOFORTUEBERWEISUNG', 'Sofort', 'AT BE CH DE ES IT NL PL'],
    ['GIROPAY', 'giropay', 'DE'],
    ['IDEAL', 'iDEAL', 'NL'],
    ['EPS', 'eps', 'AT'],
    ['ACI_INSTANTPAY', 'InstantPay', ''],
    ['PAYTRAIL', 'Paytrail', 'FI'],
    ['POLI', 'POLi', 'AU NZ'],
    ['PRZELEWY', 'Przelewy24', 'PL'],
    ['TRUSTLY', 'Trustly', 'AT DE DK EE ES FI GB LT LV NL NO PL SE'],
    ['TRUSTPAY_VA', 'TrustPay', 'CZ EE HU LT LV PL RO SK'],
    ['ENTERCASH', 'Entercash', 'AT DE FI SE'],
    ['ENTERPAY', 'Enterpay', 'FI'],
    ['INTERAC', 'Interac', 'CA'],
    ['INTERAC_ONLINE', 'Interac', 'CA'],
    ['PAYDIREKT', 'paydirekt', 'DE'],
    ['PF_KARTE_DIRECT', 'PostFinance', 'CH'],
    ['BOTON_PSE', 'PSE', 'CO'],
    ['SIBS_MULTIBANCO', 'Multibanco', 'PT'],
    ['SPEI', 'SPEI', 'MX'],
    ['PIX', 'Pix', 'BR'],
    ['BANCOLOMBIA', 'Bancolombia', 'CO'],
    ['BBVA_CONTINENTAL', 'BBVA', 'PE'],
    ['BCP', 'BCP', 'PE'],
    ['INTERBANK', 'Interbank', 'PE'],
    ['SCOTIABANK', 'Scotiabank', 'PE'],
    ['BRADESCO', 'Bradesco', 'BR'],
    ['ASTROPAY_STREAMLINE_OT', 'AstroPay', ''],
  ].map(([brand = '', title = '', countries = '']) => [brand, { title, countries }]),
);

/** An order that the shopper gives at the bank's own page. */
export const onlineTransfer: AccountFormKind = {
  titleOf: ({ brand }) => METHODS.get(brand)?.title ?? brand,
  fieldsOf: (of) => {
    const countries = countriesOf(of);
    if (countries.length < 2) return [];
    const names = new Intl.DisplayNames([of.language], { type: 'region' });
    const choices = countries.map((value) => ({ value, title: names.of(value) ?? value }));
    return [
      {
        ...{ name: 'country', parameters: ['bankAccount.country'], autoComplete: 'country' },
        choices: choices.sort((one, other) => one.title.localeCompare(other.title, of.language)),
        isWrong: ({ country = '' }) => !countries.includes(country),
      },
    ];
  },
  posted: ({ country }, of) => {
    const [only, ...others] = countriesOf(of);
    const said = others.length === 0 ? only : country;
    return said === undefined ? [] : [['bankAccount.country', said]];
  },
  agreementOf: () => [],
  isElsewhere: true,
};

function countriesOf({ brand }: AccountOf): readonly string[] {
  return METHODS.get(brand)?.countries.match(/[A-Z]{2}/g) ?? [];
}
