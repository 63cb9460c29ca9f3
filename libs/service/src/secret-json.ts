import { readFile } from 'node:fs/promises';
import { SettingsError } from './settings.js';

/** An object of JSON, whose fields are anything. */
export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * The text of a file of secrets that a variable names.
 * @throws SettingsError where it cannot be read
 */
export async function secretJsonText(variable: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`${variable} ${file} cannot be read (${code ?? 'error'}).`);
  });
}

/**
 * The object that such a text is. What a parser says of a text repeats some of it, so it is not passed on.
 * @param name what a refusal calls the file
 * @throws SettingsError
 */
export function secretJsonObject(text: string, name: string): JsonFields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new SettingsError(`${name} is no JSON.`);
  }
  return jsonObjectIn(parsed, name);
}

/** The same of a part of it. @throws SettingsError */
export function jsonObjectIn(value: unknown, name: string): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonFields;
  }
  throw new SettingsError(`${name} must be an object of JSON.`);
}
