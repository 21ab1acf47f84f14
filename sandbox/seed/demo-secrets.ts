import { z } from "zod";
import type { UserRole } from "#domain/access.ts";

export type DemoPartner = { id: string; apiKey: string; apiSecret: string; callbackSecret: string };
export type DemoUser = { email: string; password: string };
/** What only the sandbox's keeper knows: the database has hashes and sealed texts of it. */
export type DemoSecrets = {
  partner: DemoPartner;
  secondPartner: DemoPartner;
  operator: { apiKey: string };
  users: Record<UserRole, DemoUser>;
};

const text = z.string().min(1);
const partner = z.object({ id: z.uuid(), apiKey: text, apiSecret: text, callbackSecret: z.string().startsWith("whsec_") });
const user = z.object({ email: text, password: text });
const secrets = z.object({
  partner,
  secondPartner: partner,
  operator: z.object({ apiKey: text }),
  users: z.object({ admin: user, approver: user, viewer: user, owner: user, staff: user }),
});

/** The secrets as an earlier start was given them; null when there was none, or what was kept is not whole. */
export function readKeptSecrets(kept: unknown): DemoSecrets | null {
  return secrets.safeParse(kept).data ?? null;
}
