import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { deviceAnswer, plainOptions } from "#server/console/device.ts";
import { askSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { readDecisionSignature } from "#server/services/people/sessions/authenticate-person.ts";
import type { TrpcContext } from "./context.ts";
import { trpcCode } from "./refusal-shape.ts";

type Asking = Pick<TrpcContext, "holder" | "services" | "settings" | "signed" | "address">;

/** With the signature that came with the call: it also proves its person, by a second factor. @throws Refusal `passkey_required`, `rate_limited`. */
export async function withSignature({ holder, services, signed, address }: Asking, by: ByPerson): Promise<ByPerson> {
  if (!signed || holder === null || holder.viewedBy !== null) return by;
  const device = readHeader(signed);
  const signature = await readDecisionSignature(services, { by, sessionId: holder.sessionId, address, device });
  return { ...by, signature, proof: { at: services.clock.now(), byCode: true } };
}

function readHeader(text: string): z.infer<typeof deviceAnswer> {
  try {
    return deviceAnswer.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch (error) {
    throw new Refusal("malformed_header", { cause: error });
  }
}

/**
 * A decision that must be signed is refused with what to sign: the record, and what the browser hands to the device. The page shows the
 * record, has it signed, and sends the same call again with the signature.
 */
export async function askToSign({ holder, services, settings }: Asking, path: string, { particulars }: Refusal): Promise<void> {
  const { decision, detail } = particulars;
  if (decision === undefined || holder === null) return;
  const origin = new URL(settings.baseUrl).origin;
  const { record, ticket, options } = await askSignature(services, holder, { decision, origin });
  const members = { record, ticket, options: plainOptions(options), procedure: path };
  const refusal = new Refusal("passkey_required", { ...(detail !== undefined && { detail }), members });
  throw new TRPCError({ code: trpcCode(refusal.code), message: refusal.message, cause: refusal });
}
