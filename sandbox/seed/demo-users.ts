import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { users } from "#db/schema/people.ts";
import { PARTNER_STAFF_ROLES, type UserRole } from "#domain/access.ts";
import { hashPassword } from "#server/adapters/passwords.ts";

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

/** The secrets of an earlier start; null when there was none, or the file is incomplete. */
export function readKeptSecrets(kept: unknown): DemoSecrets | null {
  return secrets.safeParse(kept).data ?? null;
}

const PEOPLE: Record<UserRole, { email: string; name: string }> = {
  admin: { email: "admin@sandbox.example", name: "Ada Admin" },
  approver: { email: "approver@sandbox.example", name: "Abel Approver" },
  viewer: { email: "viewer@sandbox.example", name: "Vera Viewer" },
  owner: { email: "owner@demo.example", name: "Otieno Owner" },
  staff: { email: "staff@demo.example", name: "Stella Staff" },
};

type DemoUsers = Record<UserRole, DemoUser>;

/**
 * A user of each role (contract, part 7), the last two of the demo partner. Stored secrets only count if they belong to this database:
 * `keptFor` is their demo partner.
 */
export async function ensureUsers(tx: Database, partnerId: string, kept: { users: DemoUsers; keptFor: string } | null): Promise<DemoUsers> {
  const ensure = (role: UserRole) =>
    ensureUser(tx, role, partnerId, { user: kept?.users[role] ?? null, isOfThisDatabase: kept?.keptFor === partnerId });
  return {
    admin: await ensure("admin"),
    approver: await ensure("approver"),
    viewer: await ensure("viewer"),
    owner: await ensure("owner"),
    staff: await ensure("staff"),
  };
}

/** A stored password stays, even when the person has changed it since. Without one it is replaced: otherwise nobody could sign in. */
async function ensureUser(
  tx: Database,
  role: UserRole,
  demoPartnerId: string,
  kept: { user: DemoUser | null; isOfThisDatabase: boolean },
): Promise<DemoUser> {
  const { email, name } = PEOPLE[role];
  const [existing] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (existing && kept.user && kept.isOfThisDatabase) return { email, password: kept.user.password };
  const password = kept.user?.password ?? randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  if (existing) {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, existing.id));
  } else {
    const partnerId = PARTNER_STAFF_ROLES.some((each) => each === role) ? demoPartnerId : null;
    await tx.insert(users).values({ id: randomUUID(), email, name, passwordHash, role, partnerId, createdAt: await readBusinessNow(tx) });
  }
  return { email, password };
}
