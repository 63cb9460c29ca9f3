/** Goods or services: what Visa wants to be told of every payment. */
const GOODS_OR_SERVICES = '01';

/** Merchants who sell money, or bets (ISO 18245): which kind of payment theirs is, is not known here. */
const MONEY_SELLERS: ReadonlySet<string> = new Set([
  ...['4829', '6010', '6011', '6012', '6050', '6051', '6540', '7800', '7801', '7802', '7995'],
]);

/** `transType` of a payment to a merchant of this category; undefined where it is not known. */
export function purchaseKindOf(merchantCategoryCode: string): string | undefined {
  return MONEY_SELLERS.has(merchantCategoryCode) ? undefined : GOODS_OR_SERVICES;
}
