import { at, type KubernetesObject, nameOf } from '../json-schema.js';
import type { Manifests } from '../manifests.js';
import { limitsMissing } from './containers.js';
import { enginePodProblems } from './pod-security.js';

/** Where the resource of an operator says what its pods are given, and how they are restricted. */
interface EnginePods {
  readonly resources: readonly (readonly string[])[];
  readonly template?: readonly string[];
  readonly containers?: readonly string[];
  /** What would loosen the operator's own choice, which is `restricted`. */
  readonly absent?: readonly string[];
}

const ENGINES: Readonly<Record<string, EnginePods>> = {
  Kafka: {
    resources: [
      ['entityOperator', 'topicOperator', 'resources'],
      ['entityOperator', 'userOperator', 'resources'],
    ],
    template: ['entityOperator', 'template'],
    containers: ['topicOperatorContainer', 'userOperatorContainer'],
  },
  KafkaNodePool: {
    resources: [['resources']],
    template: ['template'],
    containers: ['kafkaContainer', 'initContainer'],
  },
  Cluster: {
    resources: [['resources']],
    absent: ['podSecurityContext', 'securityContext', 'seccompProfile'],
  },
};

/** What operators make pods of is given as much, and restricted as ours are. */
export function enginePodsAreBound({ objects }: Manifests): readonly string[] {
  return objects.flatMap((object) => {
    const engine = ENGINES[object.kind];
    if (engine === undefined) return [];
    return problemsOf(object, engine).map((text) => `${nameOf(object)}: ${text}`);
  });
}

function problemsOf(
  { spec }: KubernetesObject,
  { resources, template, containers = [], absent = [] }: EnginePods,
): readonly string[] {
  return [
    ...resources.flatMap((path) =>
      limitsMissing(at(spec, ...path)).map((text) => `${path.join('.')}: ${text}`),
    ),
    ...(template === undefined ? [] : enginePodProblems(at(spec, ...template), 'pod', containers)),
    ...absent
      .filter((field) => at(spec, field) !== undefined)
      .map(
        (field) =>
          `${field} stands in the place of the operator's, which is restricted; take it away`,
      ),
  ];
}
