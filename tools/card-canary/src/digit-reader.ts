const ZERO = 0x30;
/** Between two digits of one number: a space, a comma and a space, one UTF-32 character's zeros. */
const GAP_MAX_BYTES = 3;
const REMEMBERED_DIGITS = 64;
const TAIL_DIGITS = 8;
const TAIL_MODULUS = 10 ** (TAIL_DIGITS - 1);
const HIGH_NIBBLE_OF_A_DIGIT = 3;

/** Called for every number found; `start` and `end` bound its bytes. */
export type NumberFound = (index: number, start: number, end: number, form: string) => void;

/**
 * Finds known numbers in a stream of bytes by reading digits: up to three other bytes may stand
 * between two digits, and pairs `3d` are read as hex. One table look-up per digit, by the last
 * eight digits, so the number of numbers costs nothing.
 */
export class DigitReader {
  readonly #byTail = new Map<number, number[]>();

  constructor(private readonly numbers: readonly string[]) {
    numbers.forEach((number, index) => {
      const tail = Number(number.slice(-TAIL_DIGITS));
      const same = this.#byTail.get(tail);
      if (same === undefined) this.#byTail.set(tail, [index]);
      else same.push(index);
    });
  }

  /** Reads all of `bytes`; a number that began before them is not seen. */
  read(bytes: Buffer, found: NumberFound): void {
    const plain = new DigitRun();
    const pairs = [new DigitRun(), new DigitRun()] as const;
    let lastDigitAt = -GAP_MAX_BYTES - 2;
    let previous = -1;
    let parity = 0;
    for (let at = 0; at < bytes.length; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) continue;
      if (at - lastDigitAt > GAP_MAX_BYTES + 1) {
        plain.clear();
        pairs[0].clear();
        pairs[1].clear();
        previous = -1;
      }
      lastDigitAt = at;
      plain.push(digit, at);
      if (plain.length >= TAIL_DIGITS) this.#look(plain, at, 'digits', found);
      parity ^= 1;
      const pair = parity === 0 ? pairs[0] : pairs[1];
      if (previous === HIGH_NIBBLE_OF_A_DIGIT) {
        pair.push(digit, at - 1);
        if (pair.length >= TAIL_DIGITS) this.#look(pair, at, 'hex', found);
      } else pair.clear();
      previous = digit;
    }
  }

  #look(run: DigitRun, at: number, form: string, found: NumberFound): void {
    const candidates = this.#byTail.get(run.tail);
    if (candidates === undefined) return;
    for (const index of candidates) {
      const number = this.numbers[index] ?? '';
      if (run.endsWith(number)) found(index, run.placeOf(number.length), at + 1, form);
    }
  }
}

/** The last digits of a run, their places, and the number that the last eight make. */
class DigitRun {
  length = 0;
  tail = 0;
  readonly #digits = new Uint8Array(REMEMBERED_DIGITS);
  readonly #places = new Uint32Array(REMEMBERED_DIGITS);

  push(digit: number, at: number): void {
    const slot = this.length % REMEMBERED_DIGITS;
    this.#digits[slot] = digit;
    this.#places[slot] = at;
    this.length += 1;
    this.tail = (this.tail % TAIL_MODULUS) * 10 + digit;
  }

  clear(): void {
    this.length = 0;
    this.tail = 0;
  }

  endsWith(number: string): boolean {
    if (number.length > this.length) return false;
    for (let back = 1; back <= number.length; back++) {
      const digit = this.#digits[(this.length - back) % REMEMBERED_DIGITS];
      if (number.charCodeAt(number.length - back) - ZERO !== digit) return false;
    }
    return true;
  }

  /** Where the run's `digits`-th last digit stands. */
  placeOf(digits: number): number {
    return this.#places[(this.length - digits) % REMEMBERED_DIGITS] ?? 0;
  }
}
