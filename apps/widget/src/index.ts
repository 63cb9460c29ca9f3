/**
 * Where the built files of the widget are, for whoever serves them: `bundle.json` names them all.
 * Nothing else of this project runs outside of browsers (page 0065).
 */
export const widgetBundle = new URL('../dist/bundle/', import.meta.url);
