import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Variable } from './settings.js';

const PORT_MAX = 65_535;
const PATH_CHARACTERS_MAX = 4_096;

/** Who this process is to the other services, and whom it believes (D-45). All three or none. */
export class TlsSettings {
  @Variable('TLS_CERTIFICATE_FILE', {
    meaning: 'certificate with the SAN spiffe://sluice/<service>, PEM',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly certificateFile?: string;

  @Variable('TLS_KEY_FILE', { meaning: 'its private key, PEM' })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly keyFile?: string;

  @Variable('TLS_AUTHORITY_FILE', { meaning: 'certificates of the authority that signs them all' })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly authorityFile?: string;
}

/** Where a service listens for the other services. */
export class InternalSettings {
  @Variable('INTERNAL_HOST', { meaning: 'the address for the other services' })
  @IsString()
  @Length(1, 255)
  readonly host: string = '127.0.0.1';

  @Variable('INTERNAL_PORT', { meaning: 'the port for the other services; 0 = any free port' })
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly port: number = 0;
}
