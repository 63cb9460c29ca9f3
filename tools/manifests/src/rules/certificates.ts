import { isRecord, type KubernetesObject, nameOf, records, specOf } from '../json-schema.js';
import { type Manifests, ofKind } from '../manifests.js';

const ALERT = 'SluiceCertificateExpiry';
/** As the alert's expressions say it: `… < 14 * 86400`. */
const BOUND_DAYS = /< ([0-9]{1,4}) \* 86400/g;
const HOURS = /^([0-9]{1,6})h$/;
const HOURS_PER_DAY = 24;
/** What Strimzi does where its `Kafka` says nothing. */
const STRIMZI_RENEWAL_DAYS = 30;
/** As docs/how-to/scale.md says, and as `npm run k8s:secrets` names them in the local overlay. */
export const VAULTS_MAX = 4;

/** Renewal comes before the alert that asks why there was none, so that it never fires in health. */
export function renewalsComeBeforeTheAlert(manifests: Manifests): readonly string[] {
  const certificates = ofKind(manifests, 'Certificate');
  if (certificates.length === 0) return [];
  const bound = alertBoundDays(manifests);
  if (bound === undefined) return [`${ALERT} has no bound in days`];
  const ofCertManager = certificates.map((one) => [nameOf(one), renewedBeforeDays(one)] as const);
  const ofStrimzi = ofKind(manifests, 'Kafka').flatMap((kafka) =>
    ['clusterCa', 'clientsCa'].map((authority) => {
      const settings = specOf(kafka)[authority];
      const days = isRecord(settings) ? settings['renewalDays'] : undefined;
      return [`${nameOf(kafka)}, ${authority}`, Number(days ?? STRIMZI_RENEWAL_DAYS)] as const;
    }),
  );
  return [...ofCertManager, ...ofStrimzi]
    .filter(([, days]) => !(days > bound))
    .map(([name, days]) => `${name}: renewed ${days} days before its end, ${ALERT} warns ${bound}`);
}

/** The widest of its bounds; undefined when nobody warns. */
function alertBoundDays(manifests: Manifests): number | undefined {
  const days = ofKind(manifests, 'PrometheusRule')
    .flatMap((one) => records(specOf(one)['groups']))
    .flatMap((group) => records(group['rules']))
    .filter(({ alert }) => alert === ALERT)
    .flatMap(({ expr }) => [...String(expr).matchAll(BOUND_DAYS)].map(([, text]) => Number(text)));
  return days.length === 0 ? undefined : Math.max(...days);
}

/** NaN where it says nothing: cert-manager's own choice follows from what the issuer gives. */
function renewedBeforeDays(certificate: KubernetesObject): number {
  const hours = HOURS.exec(String(specOf(certificate)['renewBefore']))?.[1];
  return Number(hours ?? NaN) / HOURS_PER_DAY;
}
