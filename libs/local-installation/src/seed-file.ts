import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { SettingRefused } from './setting-refused.js';

/**
 * Reading ends here, so that a device or a film is no trouble. It is well above what a seed may
 * have: whoever parses the text refuses it, with the number of characters allowed.
 */
const SEED_BYTES_MAX = 32 * 1024 * 1024;

/** The text of a seed file. Throws SettingRefused. */
export async function readSeedFile(path: string): Promise<string> {
  try {
    return await text(createReadStream(path, { end: SEED_BYTES_MAX - 1 }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingRefused(`The seed file ${path} ${reasonOf(code)}.`, { cause: error });
  }
}

function reasonOf(code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist';
    case 'EISDIR':
      return 'is a folder';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user';
    default:
      return `cannot be read (${code ?? 'unknown reason'})`;
  }
}
