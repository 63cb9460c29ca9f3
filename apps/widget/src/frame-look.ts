import {
  type FieldKind,
  type FieldLook,
  takenOver,
  takenOverForPlaceholders,
} from './field-messages.js';
import type { PaymentFormParts } from './payment-form.js';

/** How the input in a frame looks: as the page's own inputs of the form do, and as the shop says. */
export function frameLook(
  kind: FieldKind,
  {
    options,
    texts,
    brands,
    language,
    checkout,
    container,
  }: Pick<PaymentFormParts, 'options' | 'texts' | 'language' | 'checkout'> & {
    readonly brands: readonly string[];
    readonly container: HTMLElement;
  },
): FieldLook {
  const label = kind === 'number' ? texts.cardNumber : texts.cvv;
  const own =
    options.iframeStyles[kind === 'number' ? 'card-number-placeholder' : 'cvv-placeholder'];
  const inputs = ['.wpwl-control-expiry', '.wpwl-control-cvv'];
  const [model = container] = inputs.flatMap((name) => container.querySelector(name) ?? []);
  return {
    ...{ kind, language, label },
    placeholder: options.showPlaceholders ? label : '',
    isRequired: kind === 'number' || !options.allowEmptyCvv,
    style: valuesOf(getComputedStyle(model), takenOver),
    placeholderStyle: {
      ...(model instanceof HTMLInputElement
        ? valuesOf(getComputedStyle(model, '::placeholder'), takenOverForPlaceholders)
        : PALE),
      ...own,
    },
    brands: options.brandDetection ? brands : [],
    brandPriority: options.brandDetectionPriority,
    listedFor:
      options.brandDetection && options.brandDetectionType === 'binlist' ? checkout : undefined,
    isGrouped: options.numberFormatting,
    isMasked: kind === 'code' && options.maskCvv,
  };
}

/** Where the form has no input of its own, as beside a stored card. */
const PALE = { color: 'color-mix(in srgb, currentcolor 65%, transparent)' };

function valuesOf(
  computed: CSSStyleDeclaration,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)]));
}
