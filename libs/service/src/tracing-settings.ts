import { IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { Variable } from './settings.js';

const TEXT_CHARACTERS_MAX = 4_096;
const HEADERS_MAX = 20;
const DELAY_MAX_MS = 60_000;
const URL_FORM = /^https?:\/\//;
const RATIO = /^(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?)$/;

/** The samplers that OpenTelemetry names, but for those that need a service of their own. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** One of them. */
export type SamplerName = (typeof SAMPLERS)[number];

/** Where traces go, by OpenTelemetry's own variables; without an endpoint there are none. */
export class TracingSettings {
  @Variable('OTEL_EXPORTER_OTLP_ENDPOINT', {
    meaning: 'traces go to /v1/traces there, as OTLP over HTTP; absent: no traces',
  })
  @IsOptional()
  @Matches(URL_FORM)
  readonly endpoint?: string;

  @Variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', { meaning: 'the same as the whole URL' })
  @IsOptional()
  @Matches(URL_FORM)
  readonly tracesEndpoint?: string;

  @Variable('OTEL_EXPORTER_OTLP_HEADERS', {
    secret: true,
    parse: headerList,
    meaning: 'headers for it, name=value with commas between',
  })
  @IsOptional()
  readonly headers?: Readonly<Record<string, string>>;

  @Variable('OTEL_TRACES_EXPORTER', { meaning: 'otlp, or none: no traces whatever else is set' })
  @IsIn(['otlp', 'none'])
  readonly exporter: 'otlp' | 'none' = 'otlp';

  @Variable('OTEL_SDK_DISABLED', { meaning: 'true: no traces either' })
  readonly isDisabled: boolean = false;

  @Variable('OTEL_SERVICE_NAME', { meaning: "as traces name it; absent: the service's name" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  readonly serviceName?: string;

  @Variable('OTEL_RESOURCE_ATTRIBUTES', { meaning: 'said of each span, key=value with commas' })
  @IsOptional()
  @IsString()
  @Length(0, TEXT_CHARACTERS_MAX)
  readonly resourceAttributes?: string;

  @Variable('OTEL_TRACES_SAMPLER', { meaning: SAMPLERS.join(', ') })
  @IsIn(SAMPLERS)
  readonly sampler: SamplerName = 'parentbased_traceidratio';

  /** D-60: one payment in twenty is followed. */
  @Variable('OTEL_TRACES_SAMPLER_ARG', { meaning: 'which share of all traces, from 0 to 1' })
  @Matches(RATIO)
  readonly samplerArgument: string = '0.05';

  @Variable('OTEL_BSP_SCHEDULE_DELAY', { meaning: 'how long spans are gathered, in milliseconds' })
  @IsInt()
  @Min(1)
  @Max(DELAY_MAX_MS)
  readonly scheduleDelayMs: number = 5_000;

  @Variable('OTEL_SEMCONV_STABILITY_OPT_IN', {
    meaning: 'messaging/dup: attributes of messages have their older names too',
  })
  @IsOptional()
  @IsString()
  @Length(0, TEXT_CHARACTERS_MAX)
  readonly stabilityOptIn?: string;
}

/** Where spans are posted; undefined: nowhere. */
export function tracesUrl(settings: TracingSettings): string | undefined {
  const { endpoint, tracesEndpoint, exporter, isDisabled } = settings;
  if (isDisabled || exporter === 'none') return undefined;
  if (tracesEndpoint !== undefined) return tracesEndpoint;
  return endpoint === undefined ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function headerList(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').map((entry) => {
    const at = entry.indexOf('=');
    if (at < 1) throw new Error('must be name=value, several with commas between');
    return [entry.slice(0, at).trim(), decoded(entry.slice(at + 1).trim())] as const;
  });
  if (entries.length > HEADERS_MAX) throw new Error(`must be at most ${HEADERS_MAX} headers`);
  return Object.fromEntries(entries);
}

/** OpenTelemetry has values percent-encoded; one that is not is taken as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
