// How well what people type fits what a page lists. No markup here, and no state.
import leven from './leven.js';

/**
 * @typedef {object} Entry what can be found
 * @property {string} name as requests and errors have it
 * @property {string} text what it is, in words, and where it belongs
 * @property {string} values what may be sent, searched last
 */

/** @typedef {Readonly<Record<string, readonly string[]>>} Synonyms other words, and what to search in their place */

/** How many letters of a word may be wrong: one of three is a slip, half of them another word. */
const LETTERS_PER_SLIP = 3;

const NO_MATCH = Number.POSITIVE_INFINITY;

/** @param {string} text @returns its words as people type them: `threeDSecure` has three */
function wordsIn(text) {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** @param {string} text @returns one space between words, none around them, small letters */
export const normalized = (text) => text.trim().toLowerCase().split(/\s+/).join(' ');

/**
 * A name as people write it and as the reference does: an index is `[n]` here, and the name of a map
 * is theirs to choose.
 * @param {string} name
 */
export function spellingsOf(name) {
  const open = name.lastIndexOf('[');
  const close = name.indexOf(']', open);
  const isMap = open !== -1 && (close === -1 || close === name.length - 1);
  return [name, name.replaceAll(/\[[0-9]+\]/g, '[n]'), ...(isMap ? [name.slice(0, open + 1)] : [])];
}

/**
 * @param {Entry} entry @param {string} query
 * @returns {number} the smaller the better: the name itself, its beginning, words of it, words that
 *   begin as its words do, the description, the values; infinite where a word is nowhere
 */
function rankFor({ name, text, values }, query) {
  const lowerName = name.toLowerCase();
  const spellings = spellingsOf(query);
  if (spellings.includes(lowerName)) return 0;
  if (spellings.some((each) => lowerName.startsWith(each))) return 1;
  const nameWords = wordsIn(name);
  const places = [
    (/** @type {string} */ word) => nameWords.includes(word) || lowerName.split('.').includes(word),
    (/** @type {string} */ word) => nameWords.some((each) => each.startsWith(word)),
    (/** @type {string} */ word) => spellingsOf(word).some((each) => lowerName.includes(each)),
    (/** @type {string} */ word) => wordsIn(text).some((each) => each.startsWith(word)),
    (/** @type {string} */ word) => `${text} ${values}`.toLowerCase().includes(word),
  ];
  const found = query.split(' ').map((word) => places.findIndex((has) => has(word)));
  return found.includes(-1) ? NO_MATCH : 2 + Math.max(...found);
}

/** @param {string} query @param {Synonyms} synonyms @returns what is searched: the query, and it in other words */
function inOtherWords(query, synonyms) {
  const padded = ` ${query} `;
  const others = Object.entries(synonyms)
    .filter(([phrase]) => padded.includes(` ${phrase} `))
    .flatMap(([phrase, meant]) =>
      meant.map((each) => padded.replace(` ${phrase} `, ` ${each.toLowerCase()} `).trim()),
    );
  return [query, ...others];
}

/**
 * The entries that fit, the best first; among equals the shorter name, then the order of the page.
 * @template {Entry} Type
 * @param {readonly Type[]} entries @param {string} typed @param {Synonyms} synonyms
 * @returns {Type[]}
 */
export function ranked(entries, typed, synonyms) {
  const [query = '', ...others] = inOtherWords(normalized(typed), synonyms);
  return entries
    .map((entry) => {
      const own = rankFor(entry, query);
      // What a synonym names is what was meant; what merely has it in its text comes with the rest.
      const meant = others.map((each, index) => rankFor(entry, each) + index / (2 * others.length));
      const rank = Math.min(own === 0 ? -1 : own, ...meant);
      return { entry, rank, length: entry.name.split('.').length };
    })
    .filter(({ rank }) => rank !== NO_MATCH)
    .sort((left, right) => left.rank - right.rank || left.length - right.length)
    .map(({ entry }) => entry);
}

/**
 * What was perhaps meant: every word that is nowhere is replaced by the nearest one that is.
 * @param {readonly Entry[]} entries @param {string} typed @param {Synonyms} synonyms
 * @returns {string | undefined} a query that finds something
 */
export function didYouMean(entries, typed, synonyms) {
  const names = entries.map(({ name }) => name);
  const words = new Set([
    ...names.flatMap((name) => name.split('.')),
    ...entries.flatMap(({ name, text }) => [...wordsIn(name), ...wordsIn(text)]),
    ...Object.keys(synonyms).flatMap((phrase) => phrase.split(' ')),
  ]);
  const query = normalized(typed);
  const nearestWords = query.split(' ').map((word) => nearest(word, words));
  const byWords = nearestWords.includes(undefined) ? undefined : nearestWords.join(' ');
  return [nearest(query, names), nearest(query, Object.keys(synonyms)), byWords].find(
    (meant) => meant !== undefined && ranked(entries, meant, synonyms).length > 0,
  );
}

/** @param {string} word @param {Iterable<string>} candidates @returns {string | undefined} */
function nearest(word, candidates) {
  const slips = Math.floor(word.length / LETTERS_PER_SLIP);
  /** @type {string | undefined} */
  let best;
  let least = slips + 1;
  for (const candidate of candidates) {
    const distance = leven(word, candidate.toLowerCase(), { maxDistance: least });
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
