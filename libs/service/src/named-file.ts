import { readFileSync, statSync } from 'node:fs';

/**
 * The text of a file that a setting names, for `@Variable`. Throws an error that says what is wrong with it,
 * as the end of a sentence about the setting.
 */
export function textOfNamedFile(path: string, bytesMax: number): string {
  try {
    const { size } = statSync(path);
    if (size > bytesMax) throw new Error(`names a file of more than ${bytesMax} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`names a file that cannot be read (${code})`, { cause: error });
  }
}
