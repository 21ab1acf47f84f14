import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { hasSecondFactor, requiresFactor } from "#domain/session.ts";
import { personProcedure, router, signedInProcedure } from "#server/console/trpc/init.ts";
import { changeName, changePassword } from "#server/services/people/change-self.ts";
import { reportIntrusion } from "#server/services/people/report-intrusion.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from "#server/services/people/second-factor/passkeys.ts";
import { readSecondFactor, renewRecoveryCodes } from "#server/services/people/second-factor/recovery-codes.ts";
import { beginTotp, confirmTotp, switchOffTotp } from "#server/services/people/second-factor/totp.ts";
import { deviceAnswer, plainOptions } from "./device.ts";
import { done } from "./done.ts";

const newPassword = fromWire({ current_password: z.string().min(1).max(1_024), new_password: plainText(12, 256) });

const passkeyName = plainText(1, 60);

/** A user's own account: name, password, second factor. */
export const accountRouter = router({
  security: signedInProcedure.query(async ({ ctx: { services, holder } }) => {
    const { recoveryCodesLeft, refusedSignIns } = await readSecondFactor(services, holder.userId);
    return {
      two_factors: hasSecondFactor(holder),
      /** Whether an authenticator app is one of them. */
      totp: holder.hasTotp,
      passkeys: (await listPasskeys(services, holder.userId)).map((key) => {
        return toWire(key, "id", "name", "createdAt", "lastUsedAt", "syncs", "backedUp");
      }),
      /** Why there can be none here; null: there can. */
      passkeys_unavailable: services.passkeys.unavailable,
      recovery_codes_left: recoveryCodesLeft,
      /** Whether the person's role may not go without. */
      required: requiresFactor(holder.viewedBy ?? holder.role, services.entryRules),
      refused_sign_ins: refusedSignIns.map((refused) => toWire(refused, "at", "wrong", "address")),
    };
  }),

  /** Needs no step-up: the thief may hold the second factor. */
  notMe: signedInProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ reason: plainText(8, 500) }))
    .mutation(({ ctx: { services, by }, input }) => done(reportIntrusion(services, { by, ...input }))),

  rename: personProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ name: plainText(1, 128) }))
    .mutation(({ ctx: { services, by }, input }) => {
      return done(changeName(services, { by, ...input }));
    }),

  /** The old password is part of the input. */
  changePassword: personProcedure
    .meta({ stepUp: false })
    .input(newPassword)
    .mutation(({ ctx: { services, by, holder, address }, input }) => {
      return done(changePassword(services, { by, sessionId: holder.sessionId, address, ...input }));
    }),

  /** Secret and link are shown only once. */
  beginTwoFactors: signedInProcedure.mutation(async ({ ctx: { services, by, settings } }) => {
    const issuer = settings.mode === "sandbox" ? `${settings.brand} sandbox` : settings.brand;
    return await beginTotp(services, { by, issuer });
  }),

  /** The recovery codes are shown only once. */
  confirmTwoFactors: signedInProcedure
    .input(z.strictObject({ code: z.string().min(6).max(12) }))
    .mutation(async ({ ctx: { services, by, holder }, input }) => {
      return { recovery_codes: await confirmTotp(services, { by, sessionId: holder.sessionId, code: input.code }) };
    }),

  /** As above. */
  renewRecoveryCodes: personProcedure.mutation(async ({ ctx: { services, by } }) => {
    return { recovery_codes: await renewRecoveryCodes(services, by) };
  }),

  /** A device's options for creating a key. */
  beginPasskey: signedInProcedure.mutation(async ({ ctx: { services, by, holder } }) => {
    const { ticket, options } = await beginPasskey(services, { by, sessionId: holder.sessionId });
    return { ticket, options: plainOptions(options) };
  }),

  /** Recovery codes for a user with one factor so far, shown only once. */
  addPasskey: signedInProcedure
    .input(deviceAnswer.extend({ name: passkeyName }))
    .mutation(async ({ ctx: { services, by, holder }, input }) => {
      return { recovery_codes: await addPasskey(services, { by, sessionId: holder.sessionId, ...input }) };
    }),

  renamePasskey: personProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ id: z.string().max(64), name: passkeyName }))
    .mutation(({ ctx: { services, by }, input }) => done(renamePasskey(services, { by, ...input }))),

  removePasskey: personProcedure
    .input(z.strictObject({ id: z.string().max(64) }))
    .mutation(({ ctx: { services, by }, input }) => done(removePasskey(services, { by, ...input }))),

  switchOffTwoFactors: personProcedure.mutation(({ ctx: { services, by } }) => done(switchOffTotp(services, by))),
});
