/**
 * Files that put a pattern together while the program runs, which no reader of source texts can
 * judge, each with what guarantees that the result is harmless.
 */
export const filesThatBuildExpressions: Readonly<Record<string, string>> = {
  'libs/parameters/src/formats.ts':
    'each format shows its pattern in its schema, and the spec judges those of every row',
  'libs/parameters/src/contact-formats.ts':
    'the same: one class of characters, repeated to the end of the value',
  'libs/parameters/src/schedule-formats.ts':
    'the parts of an expression are the patterns of the single fields, which the spec judges',
  'libs/parameters/src/security-code-names.ts':
    'alternatives of fixed words, read from names of 64 characters at most; its spec reads the longest',
  'libs/secrets/src/ibans.ts':
    "the forms of countries out of a package's table, tried on texts of an IBAN's own length: 34 characters at most",
  'apps/reference-page/page/reference-page.js':
    "the pattern is a row's own schema, which the spec judges; it runs in the reader's browser alone",
  'tools/bench/src/attribution.ts':
    'names of packages and projects from the table in the same file',
};
