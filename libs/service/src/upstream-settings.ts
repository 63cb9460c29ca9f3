import { ArrayMinSize, IsOptional, IsString, Length, Matches } from 'class-validator';
import { Variable } from './settings.js';

/** More is a mistake: no service has so many instances, and no cluster so many brokers. */
const ENTRIES_MAX = 100;
const PATH_CHARACTERS_MAX = 4_096;
const BROKER = /^[A-Za-z0-9._-]{1,253}:[0-9]{1,5}$/;

/** Where Kafka is, and who this process is there (D-47): the three files together or none. */
export class KafkaSettings {
  @Variable('KAFKA_BROKERS', { parse: brokerList, meaning: 'host:port of brokers, with commas' })
  @ArrayMinSize(1)
  readonly brokers: readonly string[] = ['127.0.0.1:9092'];

  /** Every process of an installation has the same one; tests share a broker by it. */
  @Variable('KAFKA_TOPIC_PREFIX', { meaning: 'goes before the name of every topic and group' })
  @Matches(/^[A-Za-z0-9._-]{0,100}$/)
  readonly topicPrefix: string = '';

  @Variable('KAFKA_TLS_CERTIFICATE_FILE', {
    meaning: 'certificate whose common name is what Kafka knows it by, PEM; absent: no TLS',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly certificateFile?: string;

  @Variable('KAFKA_TLS_KEY_FILE', { meaning: 'its private key, PEM' })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly keyFile?: string;

  @Variable('KAFKA_TLS_AUTHORITY_FILE', {
    meaning: 'certificates of the authority that signs those of brokers',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly authorityFile?: string;
}

function brokerList(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > ENTRIES_MAX || !entries.every((entry) => BROKER.test(entry))) {
    throw new Error('must be host:port, several with commas between');
  }
  return entries;
}

/**
 * Reads the internal URLs of a service's instances, with commas between; for `@Variable`. Throws
 * when one is not just scheme, host and port.
 */
export function urlList(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim().replace(/\/$/, ''));
  if (entries.length > ENTRIES_MAX || !entries.every(isOrigin)) {
    throw new Error('must be http://host:port or https://host:port, several with commas between');
  }
  return entries;
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && origin.length > 0 && origin === text;
}
