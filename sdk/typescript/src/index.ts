export { type Callback, type Delivery, type Secrets, verifyCallback, verifyEvent, verifyMirrored } from "./callbacks.ts";
export { type MemberWithWallet, SettlementClient } from "./client.ts";
export { CallbackRefused, type Fault, NotTerminal, ProofRefused, Refused, SettlementError, Unanswered } from "./errors.ts";
export type { CursorStore } from "./following.ts";
export type {
  Member,
  Operations as PartnerOperations,
  TopupRequestCreate,
  TopupRequestResponse,
  Transaction,
  Webhooks as FiatWebhooks,
  WithdrawCreate,
  WithdrawPartnerCreate,
  WithdrawRequestResponse,
} from "./generated/partner.ts";
export type {
  ErrorCode,
  Event,
  Operations as SettlementOperations,
  Pair,
  Problem,
  RatePreview,
  Settlement,
  SettlementConfirm,
  SettlementCreate,
  Webhooks as SettlementWebhooks,
} from "./generated/settlement.ts";
export { type Claims, type Proof, type PublicKeys, verifyProof } from "./proofs.ts";
export type { Asked, Intent } from "./sender.ts";
export { type SignedParts, signRequest } from "./signing.ts";
export { expectedTotal } from "./totals.ts";
export type { Call, Options } from "./transport.ts";
export { VERSION } from "./version.ts";
export type { Waiting } from "./waiting.ts";
