import { type GatewayEnvironment, Variable } from '@sluice/service';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';

const PORT_MAX = 65_535;

/** What the service of the reference page must be told. */
export class ReferencePageSettings {
  @Variable('REFERENCE_PAGE_HOST', { meaning: 'the address it listens on' })
  @IsString()
  @Length(1, 255)
  readonly host: string = '127.0.0.1';

  /** 0: any free port. */
  @Variable('REFERENCE_PAGE_PORT', { meaning: 'its port; 0 = any free port' })
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly port: number = 0;

  /** Live installations have no form to try a request. */
  @Variable('GATEWAY_ENVIRONMENT', { meaning: 'test or live' })
  @IsIn(['test', 'live'])
  readonly gatewayEnvironment: GatewayEnvironment = 'test';

  /** As an Ingress makes it, which leads some paths here and the others to edge. */
  @Variable('REFERENCE_PAGE_BESIDE_INTERFACE', {
    meaning: 'true: the interface is at the same address, and the page may send requests to it',
  })
  readonly isBesideInterface: boolean = false;
}
