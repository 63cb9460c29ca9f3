import {
  FIRST_CELL,
  isCertified,
  SERVICE_OF_CELLS,
  serviceNames,
  serviceRow,
  workloadOfCell,
} from '@sluice/contracts';
import { isDeepStrictEqual } from 'node:util';
import { cellsIn } from '../cell-workloads.js';
import { at, type KubernetesObject, listed, nameOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';
import { VAULTS_MAX } from './certificates.js';

/** The authority that services believe; see the overlay's certificates.yaml. */
const ISSUER = 'internal';
/** Who a caller is, as its certificate says it (D-44, D-45). */
const IDENTITY = 'spiffe://sluice/';
const NAMESPACE = 'sluice';
/** Its callers reach each instance by its number, and no other service is called so. */
const VAULT = 'vault';

/**
 * Each service has one certificate with its own name and nobody else's: whoever holds one that says
 * `payments` may reveal cards (D-44).
 */
export function identitiesAreTheirOwn(manifests: Manifests): readonly string[] {
  const certificates = ofKind(manifests, 'Certificate');
  if (certificates.length === 0) return [];
  const services = serviceNames.filter(
    (name) => isCertified(name) && serviceRow(name).standsFor === undefined,
  );
  const ofServices = new Map(services.map((service) => [`${service}-tls`, service]));
  const secrets = certificates.map((one) => at(one['spec'], 'secretName'));
  return [
    ...[...ofServices]
      .filter(([secret]) => secrets.filter((one) => one === secret).length !== 1)
      .map(([secret, service]) => `${service}: must have one Certificate for the secret ${secret}`),
    ...certificates.flatMap((certificate) => {
      const service = ofServices.get(String(at(certificate['spec'], 'secretName')));
      const problems =
        service === undefined
          ? strangerProblems(certificate)
          : ownProblems(certificate, service, cellsIn(manifests));
      return problems.map((text) => `${nameOf(certificate)}: ${text}`);
    }),
    ...authorityProblems(manifests),
  ];
}

function ownProblems(
  { spec }: KubernetesObject,
  service: string,
  cells: number,
): readonly string[] {
  const names = hostsOf(service, cells);
  const found = listed(at(spec, 'dnsNames')).map(String);
  return [
    ...(isDeepStrictEqual(at(spec, 'uris'), [`${IDENTITY}${service}`])
      ? []
      : [
          `whoever has it is taken for ${listed(at(spec, 'uris')).map(String).join(', ')}: ` +
            `its uris must be ${IDENTITY}${service} alone`,
        ]),
    ...(at(spec, 'commonName') === service ? [] : [`its commonName must be ${service}`]),
    ...(at(spec, 'issuerRef', 'name') === ISSUER && at(spec, 'issuerRef', 'kind') === 'Issuer'
      ? []
      : [`must be of the Issuer ${ISSUER}, whom alone the others believe`]),
    ...(at(spec, 'isCA') === true ? ['may sign others: take isCA out'] : []),
    ...names
      .filter((name) => !found.includes(name))
      .map((name) => `callers refuse it as ${name}, which must be in its dnsNames`),
    ...found
      .filter((name) => !names.includes(name))
      .map((name) => `can pass for ${name}, which is not ${service}: take it out of dnsNames`),
  ];
}

/** Of no service, so it may say nobody's name, and the internal authority has none of it. */
function strangerProblems({ spec }: KubernetesObject): readonly string[] {
  const uris = listed(at(spec, 'uris')).map(String);
  return [
    ...uris
      .filter((uri) => uri.startsWith(IDENTITY))
      .map((uri) => `whoever has it is taken for ${uri}, and it is no service's: take it out`),
    ...(at(spec, 'issuerRef', 'name') === ISSUER
      ? [`no service of internalCallers has it, so the Issuer ${ISSUER} signs it for nobody`]
      : []),
  ];
}

/** One certificate may sign: that of the issuer whom services believe. */
function authorityProblems(manifests: Manifests): readonly string[] {
  const authorities = ofKind(manifests, 'Issuer').map(({ spec }) => at(spec, 'ca', 'secretName'));
  return ofKind(manifests, 'Certificate')
    .filter(({ spec }) => at(spec, 'isCA') === true)
    .filter(({ spec }) => !authorities.includes(at(spec, 'secretName')))
    .map((one) => `${nameOf(one)}: may sign others, and no Issuer uses it: take isCA out`);
}

/** Every form of the names that callers know it by, in every cell. */
function hostsOf(service: string, cells: number): readonly string[] {
  const count = service === SERVICE_OF_CELLS ? cells : FIRST_CELL;
  const short =
    service === VAULT
      ? Array.from({ length: VAULTS_MAX }, (_, index) => `${VAULT}-${index}.${VAULT}`)
      : Array.from({ length: count }, (_, index) => workloadOfCell(service, index + FIRST_CELL));
  return short.flatMap((name) => [
    name,
    `${name}.${NAMESPACE}`,
    `${name}.${NAMESPACE}.svc`,
    `${name}.${NAMESPACE}.svc.cluster.local`,
  ]);
}
