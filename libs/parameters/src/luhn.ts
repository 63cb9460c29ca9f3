const ZERO = 48;

/** Whether the last of the digits is the check digit of the others (Luhn); digits only. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const digit = digits.charCodeAt(index) - ZERO;
    const weighted = doubled ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
    doubled = !doubled;
  }
  return sum % 10 === 0;
}
