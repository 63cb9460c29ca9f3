// Starts Swagger UI on the operations page. Requests are tried on the reference page: its form takes
// text, where one of hundreds of fields would be needed here.

/** @type {{ SwaggerUIBundle: (options: Record<string, unknown>) => unknown }} */
const { SwaggerUIBundle: start } = Object(globalThis);

start({
  url: '/openapi.json',
  dom_id: '#operations',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  showExtensions: true,
  supportedSubmitMethods: [],
  // It would ask a validator elsewhere.
  validatorUrl: null,
});
