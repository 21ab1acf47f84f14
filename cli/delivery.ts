import { CallbackRefused, verifyCallback, verifyMirrored } from "#sdk/typescript/src/index.ts";
import type { Profile } from "./profile.ts";
import type { Arrival } from "./receiver.ts";

export type Verdict = { verified: boolean /** Why not. */; reason: string | null; event: string | null; body: unknown };

/**
 * Trusts a callback only with a valid signature: the standard one under the callback secret, or else the request signature under the API
 * secret.
 */
export async function judgeDelivery({ method, target, headers, body }: Arrival, profile: Profile): Promise<Verdict> {
  const { callback_secret: callbackSecret, api_secret: apiSecret, brand } = profile;
  try {
    const message =
      callbackSecret === null
        ? await verifyMirrored({ headers, body, method, target }, { apiSecret, brand })
        : await verifyCallback({ headers, body }, { callbackSecret });
    return { verified: true, reason: null, event: message.event, body: message.body };
  } catch (error) {
    const reason = error instanceof CallbackRefused || error instanceof TypeError ? error.message : "it is signed, but is not JSON";
    return { verified: false, reason, event: null, body: body.toString("utf8") };
  }
}
