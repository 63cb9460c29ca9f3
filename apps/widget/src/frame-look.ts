import type { CardFormParts } from './card-form.js';
import {
  type FieldKind,
  type FieldLook,
  takenOver,
  takenOverForPlaceholders,
} from './field-messages.js';

/** How the input in a frame looks: as the page's own inputs of the form do, and as the shop says. */
export function frameLook(
  kind: FieldKind,
  {
    options,
    texts,
    brands,
    language,
    container,
  }: Pick<CardFormParts, 'options' | 'texts' | 'brands' | 'language'> & {
    readonly container: HTMLElement;
  },
): FieldLook {
  const label = kind === 'number' ? texts.cardNumber : texts.cvv;
  const own =
    options.iframeStyles[kind === 'number' ? 'card-number-placeholder' : 'cvv-placeholder'];
  const model = container.querySelector('.wpwl-control-expiry') ?? container;
  return {
    ...{ kind, language, label },
    placeholder: options.showPlaceholders ? label : '',
    style: valuesOf(getComputedStyle(model), takenOver),
    placeholderStyle: {
      ...valuesOf(getComputedStyle(model, '::placeholder'), takenOverForPlaceholders),
      ...own,
    },
    brands: options.brandDetection ? brands : [],
    brandPriority: options.brandDetectionPriority,
    isGrouped: options.numberFormatting,
    isMasked: kind === 'code' && options.maskCvv,
  };
}

function valuesOf(
  computed: CSSStyleDeclaration,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)]));
}
