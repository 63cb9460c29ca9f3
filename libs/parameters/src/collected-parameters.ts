import { isPlainName, meaningOf, type NameMeaning } from './catalogue.js';
import { Form } from './form.js';
import { MAP_NAMES_MAX, UNKNOWN_NAMES_MAX } from './limits.js';

const TOO_MANY_UNKNOWN = `has more than ${UNKNOWN_NAMES_MAX} parameters that are not allowed`;
const TOO_MANY_IN_MAPS = `must have at most ${MAP_NAMES_MAX} names in brackets`;

/**
 * The parameters of a form while it is read. With too many names of one sort the form is refused
 * whatever else it has (S-INP-02): from then on only plain names are kept, of which there are as
 * many as rows, so that what is wrong with them can be said without the cost of all the others.
 */
export class CollectedParameters {
  readonly #values = new Map<string, string>();
  /** Of each name in `#values`, in its order. */
  #meanings: NameMeaning[] = [];
  #unknown = 0;
  #inMaps = 0;
  #empty = 0;
  #excess: string | undefined;

  /** How many there are. */
  get size(): number {
    return this.#values.size;
  }

  /** Whether there were too many names of one sort. */
  get isExceeded(): boolean {
    return this.#excess !== undefined;
  }

  /** Whether the name is new; one that was there makes the form worthless. */
  add(name: string, value: string, meaning = meaningOf(name)): boolean {
    if (this.isExceeded && !isPlainName(name)) return true;
    const { size } = this.#values;
    this.#values.set(name, value);
    if (this.#values.size === size) return false;
    this.#meanings.push(meaning);
    if (value === '') this.#empty += 1;
    if (meaning.kind === 'unknown') this.#unknown += 1;
    else if (meaning.kind === 'row' && meaning.mapName !== undefined) this.#inMaps += 1;
    if (this.#unknown > UNKNOWN_NAMES_MAX) this.exceed(TOO_MANY_UNKNOWN);
    else if (this.#inMaps > MAP_NAMES_MAX) this.exceed(TOO_MANY_IN_MAPS);
    return true;
  }

  /** From here on the form is refused for `excess`. */
  exceed(excess: string): void {
    if (this.isExceeded) return;
    this.#excess = excess;
    this.#remove((name) => !isPlainName(name));
  }

  /** Takes out what is empty and says nothing so. */
  leaveOutEmpty(saysNothing: (meaning: NameMeaning) => boolean): void {
    if (this.#empty === 0) return;
    this.#remove((_, value, meaning) => value === '' && saysNothing(meaning));
  }

  #remove(isRemoved: (name: string, value: string, meaning: NameMeaning) => boolean): void {
    const meanings = this.#meanings;
    this.#meanings = [];
    let at = 0;
    for (const [name, value] of this.#values) {
      const meaning = meanings[at] ?? meaningOf(name);
      at += 1;
      if (isRemoved(name, value, meaning)) this.#values.delete(name);
      else this.#meanings.push(meaning);
    }
  }

  /** The form; nothing may be added any more. */
  form(): Form {
    return new Form(this.#values, this.#meanings, this.#excess);
  }
}
