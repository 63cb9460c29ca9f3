import { AWAY } from './away.js';
import { brandMark, lettersFit } from './brand-mark.js';
import { brandTitle } from './brand-titles.js';
import type { CardFormViewParts } from './card-form-view.js';
import { controlClass, Hint, labelId } from './card-field-view.js';

/** The choice of the brand: from a list, or between pictures (wire contract 10). */
export function BrandGroup(parts: CardFormViewParts) {
  const { state, options, texts, form } = parts;
  const hasLogos = options.style === 'logos';
  const label = labelId('brand', form);
  return (
    <div
      class={`wpwl-group wpwl-group-brand${hasLogos ? ' wpwl-group-brandLogo' : ''} wpwl-clearfix`}
      style={state.isSummary ? AWAY : undefined}
    >
      <div
        class="wpwl-label wpwl-label-brand"
        id={label}
        style={options.showLabels ? undefined : AWAY}
      >
        {texts.brand}
      </div>
      {hasLogos ? <Logos {...parts} /> : <List {...parts} />}
      {hasLogos ? null : (
        // Shops give it a picture by its class.
        <div class={`wpwl-brand wpwl-brand-card wpwl-brand-${state.brand}`} aria-hidden="true">
          {options.style !== 'none' && <Mark key={state.brand} brand={state.brand} />}
        </div>
      )}
    </div>
  );
}

function List(parts: CardFormViewParts) {
  const { state, events, brands, form } = parts;
  const isWrong = state.faults.brand !== undefined;
  return (
    <div class="wpwl-wrapper wpwl-wrapper-brand">
      <select
        class={controlClass('brand', isWrong)}
        name="paymentBrand"
        aria-required
        aria-labelledby={labelId('brand', form)}
        aria-invalid={isWrong}
        value={state.brand}
        onChange={events.onBrand}
      >
        {brands.map((brand) => (
          <option key={brand} value={brand}>
            {brandTitle(brand)}
          </option>
        ))}
      </select>
      <Hint {...parts} field="brand" />
    </div>
  );
}

function Logos(parts: CardFormViewParts) {
  const { state, events, brands, form } = parts;
  return (
    <div class="wpwl-wrapper wpwl-wrapper-brand wpwl-wrapper-brandLogo">
      <div
        class="wpwl-brands"
        role="radiogroup"
        aria-required
        aria-labelledby={labelId('brand', form)}
      >
        {brands.map((brand) => {
          const isChosen = brand === state.brand;
          const selected = isChosen ? ' wpwl-selected' : '';
          return (
            <label
              key={brand}
              class={`wpwl-button-brand wpwl-brand wpwl-brand-${brand}${selected}`}
              title={brandTitle(brand)}
            >
              <input
                // The chosen one is what shops find where other styles have the list.
                class={isChosen ? 'wpwl-control-brand' : undefined}
                type="radio"
                name="paymentBrand"
                value={brand}
                checked={isChosen}
                aria-label={brandTitle(brand)}
                onChange={events.onBrand}
              />
              <Mark brand={brand} />
            </label>
          );
        })}
      </div>
      <Hint {...parts} field="brand" />
    </div>
  );
}

/** A drawing of our own; screen readers have the name beside it. */
function Mark({ brand }: { readonly brand: string }) {
  const { letters, color } = brandMark(brand);
  const { size, width } = lettersFit(letters);
  return (
    <svg
      ref={giveWay}
      class="wpwl-mark"
      viewBox="0 0 60 38"
      width="60"
      height="38"
      aria-hidden="true"
    >
      <rect width="60" height="38" rx="5" fill={color} />
      <rect y="6" width="60" height="6" fill="#fff" opacity=".2" />
      <text
        x="30"
        y="29"
        fill="#fff"
        font-family="system-ui, sans-serif"
        font-size={size}
        font-weight="700"
        text-anchor="middle"
        textLength={width}
        lengthAdjust="spacingAndGlyphs"
      >
        {letters}
      </text>
    </svg>
  );
}

/** A shop's own picture, which it has given by the class of the brand, stands alone. */
function giveWay(mark: SVGSVGElement | null): void {
  if (mark === null) return;
  // Once it is in the page, and before it is painted.
  requestAnimationFrame(() => {
    const { parentElement } = mark;
    if (parentElement !== null && hasPicture(parentElement)) mark.style.display = 'none';
  });
}

function hasPicture(element: Element): boolean {
  const isDrawn = (pseudo: string) => getComputedStyle(element, pseudo).content !== 'none';
  return (
    getComputedStyle(element).backgroundImage !== 'none' ||
    isDrawn('::before') ||
    isDrawn('::after')
  );
}
