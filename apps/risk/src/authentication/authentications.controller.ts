import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  AuthenticateQuery,
  AuthenticationAnswer,
  AuthenticationQuery,
  CoveredAmountAnswer,
  CoveredAmountQuery,
  IssuerWordsAnswer,
  IssuerWordsQuery,
  MethodDoneAnswer,
  MethodDoneQuery,
  ProceedQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { Authentications } from './authentications.js';
import { IssuerWords } from './issuer-words.js';

/** Questions about the authentication of shoppers. */
@Controller()
export class AuthenticationsController {
  constructor(
    private readonly authentications: Authentications,
    private readonly words: IssuerWords,
  ) {}

  /** Begins one; asked again, tells how it stands. */
  @MessagePattern(queryPattern('risk.authenticate'))
  authenticate(@Payload() query: AuthenticateQuery): Promise<AuthenticationAnswer> {
    return this.authentications.authenticate(query);
  }

  /** What has become of one. */
  @MessagePattern(queryPattern('risk.authentication'))
  authentication(@Payload() query: AuthenticationQuery): Promise<AuthenticationAnswer> {
    return this.authentications.authentication(query);
  }

  /** The shopper's browser has come, or come back. */
  @MessagePattern(queryPattern('risk.proceed'))
  proceed(@Payload() query: ProceedQuery): Promise<AuthenticationAnswer> {
    return this.authentications.proceed(query);
  }

  /** The page of the 3DS method is done. */
  @MessagePattern(queryPattern('risk.methodDone'))
  methodDone(@Payload() query: MethodDoneQuery): Promise<MethodDoneAnswer> {
    return this.authentications.methodDone(query);
  }

  /** How much one that a payment comes with covers. */
  @MessagePattern(queryPattern('risk.coveredAmount'))
  coveredAmount(@Payload() query: CoveredAmountQuery): Promise<CoveredAmountAnswer> {
    return this.authentications.coveredAmount(query);
  }

  /** What issuers had to say to shoppers, in clear. */
  @MessagePattern(queryPattern('risk.issuerWords'))
  issuerWords(@Payload() query: IssuerWordsQuery): Promise<IssuerWordsAnswer> {
    return this.words.open(query);
  }
}
