import type { ExitCode } from './exit-codes.js';

/** What a command found or did: the same for programs and for people. */
export interface Answer {
  /** The one JSON document of `--json`. */
  readonly data: unknown;
  /** What a person reads, without the last newline. */
  readonly text: string;
  /** 0 unless it says otherwise. */
  readonly exitCode?: ExitCode;
}

/** Writes an answer as it was asked for. */
export function rendered({ data, text }: Answer, asJson: boolean): string {
  if (asJson) return `${JSON.stringify(data, replaced, 2)}\n`;
  return text === '' ? '' : `${text}\n`;
}

/** Numbers of 64 bits would be rounded by whoever parses them. */
function replaced(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
