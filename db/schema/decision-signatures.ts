import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./people.ts";

/**
 * Every passkey that was ever registered, also those that were removed since: signatures are verified with it. A trigger on `passkeys`
 * writes it, with the database's own time; no role may. Append only.
 */
export const passkeyKeys = pgTable("passkey_keys", {
  /** As the device names it, base64url. */
  credentialId: text().primaryKey(),
  userId: uuid().notNull(),
  /** COSE, base64url. */
  publicKey: text().notNull(),
  name: text().notNull(),
  registeredAt: instant().notNull(),
});

/** What people have signed with a passkey to decide. Append only. */
export const decisionSignatures = pgTable(
  "decision_signatures",
  {
    id: uuid().primaryKey(),
    action: text({
      enum: ["settlement.approve", "settlements.approve", "batch.approve", "proposal.confirm", "payment.above_cap", "treasury.withdraw"],
    }).notNull(),
    /** The settlement, the batch, the proposal, the transfer or the treasury withdrawal. */
    objectId: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    credentialId: text()
      .notNull()
      .references(() => passkeyKeys.credentialId),
    /** The text that was shown, and whose SHA-256 the device has signed. */
    record: text().notNull(),
    /** Base64url, as the three below came from the device. */
    authenticatorData: text().notNull(),
    clientData: text().notNull(),
    signature: text().notNull(),
    signedAt: instant().notNull(),
  },
  (table) => [
    index("decision_signatures_of_object").on(table.objectId),
    index("decision_signatures_in_order").on(table.signedAt, table.id),
  ],
);
