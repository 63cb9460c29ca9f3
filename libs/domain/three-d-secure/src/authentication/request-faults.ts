import { fieldsOf } from '../messages/field-tables.js';
import type { MessageVersion } from '../messages/message-kinds.js';

/** Where an element of AReq comes from. */
export interface ElementSource {
  /** The parameter or setting without which the issuer cannot be asked. */
  readonly demands?: string;
  /** The parameters that say it, the one that counts first; `<network>` stands for the card's. */
  readonly from?: readonly string[];
}

/** What is wrong with what an authentication is asked with. */
export interface RequestFault {
  /** What is needed, in words that follow "needs". */
  readonly words: string;
  /** Of which parameter; absent: a setting of the channel. */
  readonly parameter?: string;
}

/** Why the issuer cannot be asked. */
export interface RequestRefusal {
  readonly reason: string;
  /** Those that were sent wrongly, or not at all; absent where settings are at fault. */
  readonly parameters?: readonly string[];
}

interface Asked {
  readonly query: { readonly parameters: Readonly<Record<string, string>> };
  readonly network: string;
  readonly version: MessageVersion;
}

/** What is wrong with an element that does not fit, or is missing. */
export function elementFault(
  element: string,
  { demands, from = [] }: ElementSource,
  { query: { parameters }, network, version }: Asked,
): RequestFault {
  const names = from.map((name) => name.replace('<network>', network));
  const sent = names.find((name) => (parameters[name] ?? '') !== '');
  if (sent !== undefined) {
    return { parameter: sent, words: `${sent} as ${formOf(element, version)}` };
  }
  const words = demands ?? element;
  return from.includes(words) ? { words, parameter: words } : { words };
}

/** All of it in one sentence. Parameters can be mended by whoever asks, so they are told first and alone. */
export function refusalOf(faults: readonly RequestFault[]): RequestRefusal {
  const named = faults.filter(({ parameter }) => parameter !== undefined);
  const told = named.length > 0 ? named : faults;
  const words = [...new Set(told.map((fault) => fault.words))].join(', ');
  const parameters = new Set(named.flatMap(({ parameter }) => parameter ?? []));
  return {
    reason: `an authentication by 3-D Secure needs ${words}`,
    ...(parameters.size > 0 && { parameters: [...parameters] }),
  };
}

function formOf(element: string, version: MessageVersion): string {
  const field = fieldsOf('AReq', version).find(({ name }) => name === element);
  return field?.format.text ?? 'the protocol has it';
}
