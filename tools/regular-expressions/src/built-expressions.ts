/**
 * Files that put a pattern together while the program runs, which no reader of source texts can
 * judge, each with what guarantees that the result is harmless.
 */
export const filesThatBuildExpressions: Readonly<Record<string, string>> = {
  'libs/parameters/src/formats.ts':
    'each format shows its pattern in its schema, and the spec judges those of every row',
};
