import { FileKeyProvider } from './file-key-provider.js';
import type { KeyProvider } from './key-provider.js';
import type { Logger } from './logger.js';
import { SettingsError } from './settings.js';

/** Where a service may have its wrapping keys from; the first that is there counts. */
export interface KeySource {
  /** Used as it is; whoever made it closes it. */
  readonly keyProvider?: KeyProvider | undefined;
  readonly keyFile?: string | undefined;
  /** The variable with the key file's path, for the message when there is neither. */
  readonly variable: string;
}

/** A key provider, and how to let go of it. */
export interface OpenKeys {
  readonly provider: KeyProvider;
  close(): void;
}

/** Takes the given provider or opens the key file. Throws SettingsError or KeyFileError. */
export async function openKeys(
  { keyProvider, keyFile, variable }: KeySource,
  logger: Logger,
): Promise<OpenKeys> {
  if (keyProvider !== undefined) return { provider: keyProvider, close: () => undefined };
  if (keyFile === undefined) throw new SettingsError(`${variable} must be set.`);
  const provider = await FileKeyProvider.open(keyFile, {
    onProblem: (err) => logger.error({ err }, 'The key file was not taken over.'),
  });
  return { provider, close: () => provider.close() };
}
