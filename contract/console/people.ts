import { z } from "zod";
import { plainText } from "#contract/primitives.ts";

/** What a person asks about itself, in wire names. */

const newPassword = plainText(12, 256);

export const nameInput = z.strictObject({ name: plainText(1, 128) });
export const passwordInput = z.strictObject({ current_password: z.string().min(1).max(1_024), new_password: newPassword });
export const codeInput = z.strictObject({ code: z.string().min(6).max(12) });
export const viewInput = z.strictObject({ partner_id: z.string().max(64) });
