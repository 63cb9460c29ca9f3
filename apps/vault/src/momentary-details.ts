import type { SecretDetails } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';

/** Details that are never written, as a buffer, because it can be overwritten. */
export function momentaryBuffer(details: SecretDetails): Buffer {
  const texts = Object.entries(details).map(([name, detail]) => [name, detail.reveal()]);
  return Buffer.from(JSON.stringify(texts), 'utf8');
}

/** The same details again; none of nothing. */
export function momentaryDetails(text: string | undefined): SecretDetails {
  if (text === undefined) return {};
  const texts = JSON.parse(text) as [name: string, value: string][];
  return Object.fromEntries(texts.map(([name, value]) => [name, new Detail(value)]));
}
