/*
 * A limit on everything a request may bring (S-INP-02). A request over a limit is refused before
 * anything is built from it.
 */

/**
 * The whole body, bytes as they are sent, percent-encoding included; edge stops reading there. Most
 * clients write the brackets of an index as `%5B` and `%5D`, four bytes more for each name, and three
 * bytes for each byte of a value that is not ASCII. So written, a cart of 1,000 items, the most there
 * are (Interface 8), has room for the 30 fields with the shortest names if each value is one
 * character, or for 20 of them with 20 characters. The names of all 45 fields of each of 1,000 need
 * 1.5 MB alone, so that many fields are for carts of up to 600 items.
 */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Parameters of one request: more than a body of that size has room for, if each is a known one. */
export const PARAMETERS_MAX = 40_000;

/** Bytes of a name: the longest of the interface is 66, with a map key of 64 under 90. */
export const NAME_BYTES_MAX = 256;

/** Bytes of a character in UTF-8. */
export const CHARACTER_BYTES_MAX = 4;

/**
 * Bytes of a value: the longest ordinary one is 2,048 characters of up to 4 bytes. Where a format
 * allows more characters, the limit is what they may need, and so many characters are the rule.
 */
export const VALUE_BYTES_MAX = 2_048 * CHARACTER_BYTES_MAX;

/** Bytes of an encrypted wallet token, which holds certificates (Interface 2.5). */
export const PAYMENT_TOKEN_BYTES_MAX = 32 * 1024;

/** Parts of a name: `airline.passengers[0].legs[0].taxAmount` has six, nothing has more. */
export const NESTING_MAX = 6;

/** Highest index of a cart item: 1,000 items (Interface 8). */
export const INDEX_MAX = 999;

/** Highest index of a passenger or leg: 99 of them, more than any booking. */
export const TRAVEL_INDEX_MAX = 98;

/** Names in brackets (`customParameters[name]` and the like) of one request: as many as articles. */
export const MAP_NAMES_MAX = 1_000;

/** Unknown names of one request: whoever sends more has sent something else. */
export const UNKNOWN_NAMES_MAX = 1_000;

/**
 * Errors listed in one answer: enough to mend a request, too few to make the answer heavy. How many
 * more there are is said behind them, in one error of the body.
 */
export const PARAMETER_ERRORS_MAX = 100;

/** Characters of a name or value repeated in an error. */
export const REPEATED_CHARACTERS_MAX = 255;
