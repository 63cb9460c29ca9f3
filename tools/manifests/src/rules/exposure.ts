import { isDeepStrictEqual } from 'node:util';
import { isPublic, serviceNames } from '@sluice/contracts';
import { isRecord, type KubernetesObject, nameOf, records, specOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';
import { podsOf } from '../network-policies.js';
import { leadsResultsToRisk } from './results-way.js';

/** The one that merchants reach: the card-data path begins there. */
const PAYMENTS_WAY_IN = 'edge';
/** The same, and those that readers of pages reach. */
const WAYS_IN: readonly string[] = serviceNames.filter(isPublic);
/** How its Service may be reached from outside where there is no Ingress. */
const NODE_PORTS: Readonly<Record<string, string>> = { local: 'NodePort' };
/** These bring a Service outside, or something from outside in, whatever its type. */
const OUTSIDE_FIELDS = ['externalIPs', 'externalName', 'loadBalancerIP', 'loadBalancerClass'];
/** Nginx takes others that lead a request elsewhere, copy it, or are a piece of its configuration. */
const INGRESS_ANNOTATIONS = [
  ...['proxy-body-size', 'proxy-read-timeout', 'proxy-next-upstream', 'ssl-redirect'],
].map((name) => `nginx.ingress.kubernetes.io/${name}`);

/** Nothing is reached from outside the cluster but what the table of services says, and that by the Ingress or locally by a node's port. */
export function servicesStayInside(manifests: Manifests): readonly string[] {
  const nodePort = NODE_PORTS[manifests.overlay];
  const ofServices = ofKind(manifests, 'Service').flatMap((service) => {
    const spec = specOf(service);
    const { type = 'ClusterIP' } = spec;
    const { name } = service.metadata;
    const isWayIn = WAYS_IN.includes(name);
    const leadsAstray = isWayIn && !isDeepStrictEqual(spec['selector'], podsOf(name).matchLabels);
    return [
      ...(type === 'ClusterIP' || (name === PAYMENTS_WAY_IN && type === nodePort)
        ? []
        : [`its type ${String(type)} opens it to the outside; make it ClusterIP`]),
      ...OUTSIDE_FIELDS.filter((field) => field in spec).map(
        (field) => `${field} leads outside; take it away`,
      ),
      ...(leadsAstray ? [`outsiders would reach other pods than those of ${name}`] : []),
    ].map((text) => `${nameOf(service)}: ${text}`);
  });
  const ofEngines = ofKind(manifests, 'Cluster')
    .filter(({ spec }) => isRecord(spec) && isRecord(spec['managed']))
    .filter((cluster) => 'services' in (specOf(cluster)['managed'] as object))
    .map((one) => `${nameOf(one)}: managed.services makes Services that no rule reads`);
  return [...ofServices, ...ofEngines];
}

/**
 * Every way of an Ingress ends at edge or at its reference, or is that of directory servers, and nothing in it
 * sends requests anywhere else.
 */
export function ingressesLeadToEdge(manifests: Manifests): readonly string[] {
  const ingresses = ofKind(manifests, 'Ingress').filter((one) => !leadsResultsToRisk(one));
  return ingresses.flatMap((ingress) =>
    [
      ...backendsOf(ingress)
        .filter((backend) => !WAYS_IN.includes(backend))
        .map(
          (backend) =>
            `leads to ${backend}; only ${WAYS_IN.join(' and ')} may be reached from outside`,
        ),
      ...Object.keys(ingress.metadata.annotations ?? {})
        .filter((name) => name.startsWith('nginx.') && !INGRESS_ANNOTATIONS.includes(name))
        .map((name) => `${name} is none of those that are known to leave requests where they go`),
    ].map((text) => `${nameOf(ingress)}: ${text}`),
  );
}

/** The names of the Services that it leads to. */
function backendsOf(ingress: KubernetesObject): readonly string[] {
  const { defaultBackend, rules } = specOf(ingress);
  const paths = records(rules).flatMap(({ http }) =>
    isRecord(http) ? records(http['paths']) : [],
  );
  const backends = [defaultBackend, ...paths.map(({ backend }) => backend)];
  return backends.filter(isRecord).map(({ service }) => {
    return isRecord(service) ? String(service['name']) : 'something that is no Service';
  });
}
