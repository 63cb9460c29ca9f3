import type { Language } from './languages.js';

/**
 * What the sheet says beside the texts of all forms, in English; every other language says the same
 * (`click-to-pay-languages`). They are by themselves because no other form needs them.
 */
export const clickToPayEnglish = {
  email: 'E-mail address',
  code: 'One-time code',
  codeSent: 'A code has been sent to {where}.',
  codeError: 'Check the code',
  newCode: 'Send a new code',
  chooseCard: 'Choose a card',
  noCards: 'There are no Click to Pay cards for this e-mail address.',
};

/** The texts of one language. */
export type ClickToPayTexts = Readonly<typeof clickToPayEnglish>;

/** In English where a language does not come: the shopper can pay all the same. */
export async function clickToPayTexts(
  language: Language,
  { folder }: { readonly folder: string },
): Promise<ClickToPayTexts> {
  if (language === 'en') return clickToPayEnglish;
  const address = `${folder}click-to-pay-language-${language}.json`;
  try {
    const response = await fetch(address, { credentials: 'omit' });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return { ...clickToPayEnglish, ...((await response.json()) as Partial<ClickToPayTexts>) };
  } catch {
    console.warn(`Sluice: ${address} cannot be loaded; the sheet is in English.`);
    return clickToPayEnglish;
  }
}
