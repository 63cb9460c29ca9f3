/** As people read them; others are named as the shop names them. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['VISA', 'Visa'],
  ['MASTER', 'Mastercard'],
  ['AMEX', 'American Express'],
  ['VISAELECTRON', 'Visa Electron'],
  ['VISADEBIT', 'Visa Debit'],
  ['VPAY', 'V PAY'],
  ['MASTERDEBIT', 'Mastercard Debit'],
  ['MAESTRO', 'Maestro'],
  ['DINERS', 'Diners Club'],
  ['DISCOVER', 'Discover'],
  ['UNIONPAY', 'UnionPay'],
  ['UNIONPAY_SMS', 'UnionPay'],
  ['MADA', 'mada'],
  ['CARTEBANCAIRE', 'CB'],
  ['CARTEBLEUE', 'Carte Bleue'],
  ['BCMC', 'Bancontact'],
  ['DANKORT', 'Dankort'],
  ['RUPAY', 'RuPay'],
  ['HIPERCARD', 'Hipercard'],
  ['MIR', 'Mir'],
  ['TROY', 'Troy'],
  ['ELO', 'Elo'],
]);

/** The name of a brand for people. */
export function brandTitle(brand: string): string {
  return TITLES.get(brand) ?? brand;
}
