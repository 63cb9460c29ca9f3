import { isRecord, type KubernetesObject, records, specOf } from '../json-schema.js';

/** What an Ingress says of TLS that it hands on as it came. */
export const PASSES_TLS_ON = 'nginx.ingress.kubernetes.io/ssl-passthrough';

/**
 * Whether an Ingress leads directory servers to the port for their results and nowhere else, with their TLS
 * as it came: risk itself looks at their certificates (page 0074).
 */
export function leadsResultsToRisk(ingress: KubernetesObject): boolean {
  const { defaultBackend, rules } = specOf(ingress);
  const paths = records(rules).flatMap(({ http }) =>
    isRecord(http) ? records(http['paths']) : [],
  );
  return (
    ingress.metadata.annotations?.[PASSES_TLS_ON] === 'true' &&
    defaultBackend === undefined &&
    paths.length > 0 &&
    paths.every(({ backend }) => isOfResults(backend))
  );
}

function isOfResults(backend: unknown): boolean {
  const service = isRecord(backend) ? backend['service'] : undefined;
  if (!isRecord(service) || service['name'] !== 'risk') return false;
  return isRecord(service['port']) && service['port']['name'] === 'results';
}
