// What the loader brings.
import { Widget } from './widget.js';
import type { WidgetScript } from './widget-start.js';

const script = document.currentScript as WidgetScript | null;
// Absent where the page has unloaded it meanwhile.
if (script?.sluiceStart !== undefined) {
  const widget = new Widget(script, script.sluiceStart);
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => void widget.begin(), { once: true });
  } else {
    void widget.begin();
  }
}
