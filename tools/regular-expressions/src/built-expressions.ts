/**
 * Files that put a pattern together while the program runs, which no reader of source texts can
 * judge, each with what guarantees that the result is harmless.
 */
export const filesThatBuildExpressions: Readonly<Record<string, string>> = {};
