import type { BinTable } from '@sluice/answers';
import { heldInstrument, type StandaloneOperation } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  accountKindOf,
  detailsToHold,
  firstRejection,
  shownInstrumentOf,
  standaloneFaults,
  type StandaloneKind,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import type { Answer } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CommandClient } from './command-client.js';
import { idempotencyKeyOf } from './idempotency-claims.js';
import { beginStandalone } from './payment-commands.js';
import type { PaymentSender } from './payment-sender.js';
import { TRANSACTION_NOT_FOUND } from './refusals.js';

/** A request that asks no acquirer. */
export interface StandaloneRequest {
  readonly kind: StandaloneKind;
  readonly operation: StandaloneOperation;
  /** Where it was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
}

/** What they are begun with. */
export interface StandaloneRequestsParts {
  readonly commands: CommandClient;
  readonly payments: PaymentSender;
  /** Who issued a card. */
  readonly bins: BinTable;
}

/** Begins authentications and risk checks alone (wire contract 6): payments without an acquirer. */
export class StandaloneRequests {
  constructor(private readonly parts: StandaloneRequestsParts) {}

  /** Sends the command and answers with what becomes of it. @throws Refused */
  async begin(admitted: AdmittedRequest, request: StandaloneRequest): Promise<Answer> {
    const { kind, operation, resource } = request;
    const { form, mode, receivedAtMs } = admitted;
    refuseViolations(standaloneFaults(form, kind));
    checkKind(admitted, kind);
    const key = idempotencyKeyOf(admitted, resource);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims, instruments } = this.parts.commands;
    const { personal, ...kept } = await keptParameters.of(form, kind, transactionId);
    // One that is refused anyway needs no vault.
    const isRefused = firstRejection(form, { kind, mode, nowMs: receivedAtMs }) !== undefined;
    const toHold = isRefused ? undefined : detailsToHold(form, kind);
    const merchantId = admitted.access.merchant.id;
    const held = toHold && (await instruments.hold({ ...toHold, merchantId }));
    const { reference, ...fingerprints } = held ?? {};
    const shown = shownInstrumentOf(form, accountKindOf(form, kind));
    const instrument = heldInstrument(shown, reference);
    const claim = claims.of(admitted, key, { id: transactionId }, held?.fingerprint);
    const parts = { admitted, kind, transactionId, ...kept, ...claim };
    const bin = 'bin' in shown ? shown.bin : undefined;
    const issuerCountry = bin === undefined ? undefined : this.parts.bins.fieldsOf(bin)?.binCountry;
    const command = beginStandalone(parts, operation, {
      ...{ instrument, ...fingerprints },
      ...(issuerCountry !== undefined && { issuerCountry }),
    });
    const notFound = TRANSACTION_NOT_FOUND;
    return this.parts.payments.send({ admitted, command, personal, instrument, notFound });
  }
}
