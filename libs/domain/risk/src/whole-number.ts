/** The number that digits say: of times and counts, which no money is made of. */
export function wholeNumberOf(digits: string): number {
  // eslint-disable-next-line sluice/no-float-money -- never of an amount
  return Number.parseInt(digits, 10);
}
