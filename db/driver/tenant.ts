import postgres from "postgres";
import { partnerRole } from "#db/application-role.ts";

/**
 * Whose rows are visible: one partner's, or everybody's. There is no default. `person`: for whom, who then sees their own sessions, factors
 * and tokens alone; left out: those of all the people, for a key, for who manages people, and before it is known who it is.
 */
export type Tenant = OfPartner | { of: "everybody"; person?: string };
export type OfPartner = { of: "partner"; id: string; person?: string };
/** Work that the database limits: all but everybody's. */
export type Limited = OfPartner | { of: "everybody"; person: string };

/** What the policies of the partner's role read (db/policies.ts). */
export const TENANT_SETTING = "service.partner";
export const PERSON_SETTING = "service.person";
/** On Citus: whether a function counts the open quotes of all partners at this moment. Only that function says so. */
export const COUNTING_SETTING = "service.counting";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The settings sent with the `begin` of limited work, which end with its transaction: nothing stays in the session, which a pooler reuses.
 */
export function tenantOpening(role: string, tenant: Limited): string {
  const { person } = tenant;
  const ids = [tenant.of === "partner" ? tenant.id : undefined, person].filter((id) => id !== undefined);
  if (!ids.every((id) => UUID.test(id))) throw new Error("a tenant is named by its id, and so is its person");
  const ofPerson = person === undefined ? [] : [`set local ${PERSON_SETTING} = '${person}'`];
  if (tenant.of === "everybody") return ofPerson.join("");
  const ofPartner = [`set local role "${partnerRole(role).replaceAll('"', '""')}"`, `set local ${TENANT_SETTING} = '${tenant.id}'`];
  return [...ofPartner, ...ofPerson].join("; ");
}

/**
 * Begins a transaction with additional settings in its `begin` message, so that they cost no round trip.
 *
 * @throws Error before the work begins, if the driver has not sent the `begin` together with the settings
 */
export type OpenWith = (said: string, work: (tx: postgres.TransactionSql) => unknown) => Promise<unknown>;

export function sayingMore(sql: postgres.Sql): OpenWith {
  let more: string | null = null;
  const { unsafe } = sql;
  const opening: typeof unsafe = (text, parameters, options) => {
    if (more === null || !text.startsWith("begin")) return unsafe(text, parameters, options);
    const said = more;
    more = null;
    return unsafe(`${text}; ${said}`, parameters, options);
  };
  Object.assign(sql, { unsafe: opening });
  return (said, work) => {
    let isHeld = false;
    const heldWork = (tx: postgres.TransactionSql) => {
      if (!isHeld) throw new Error("the transaction is not held to its partner: the driver did not send the role with its begin");
      return work(tx);
    };
    // The driver sends its `begin` at once, before any other code runs.
    more = said;
    try {
      return sql.begin(heldWork);
    } finally {
      isHeld = more === null;
      more = null;
    }
  };
}

/** A pool's driver for drizzle that runs everything for one partner: transactions, and single statements in their own transaction. */
export function tenantDriver(sql: postgres.Sql, openWith: OpenWith, opening: string) {
  const unsafe = (text: string, parameters: Parameters<typeof sql.unsafe>[1], options: Parameters<typeof sql.unsafe>[2]) => {
    const ask = <Rows>(of: (own: postgres.ReservedSql) => PromiseLike<Rows>) => inOneTrip(sql, opening, of);
    return {
      // biome-ignore lint/suspicious/noThenProperty: it is asked when it is waited for, as the driver's own is.
      then: <Rows, Failure>(good?: (rows: unknown) => Rows, bad?: (error: unknown) => Failure) =>
        ask((own) => own.unsafe(text, parameters, options)).then(good, bad),
      values: () => ask((own) => own.unsafe(text, parameters, options).values()),
    };
  };
  return { options: sql.options, unsafe, begin: (work: (tx: postgres.TransactionSql) => unknown) => openWith(opening, work) };
}

/** Sent together on one connection: who it is for, the statement, the commit. Whatever of it fails, nothing behind it is done. */
async function inOneTrip<Rows>(sql: postgres.Sql, opening: string, ask: (own: postgres.ReservedSql) => PromiseLike<Rows>): Promise<Rows> {
  const own = await sql.reserve();
  const [opened, asked, committed] = await Promise.allSettled([own.unsafe(`begin; ${opening}`), ask(own), own.unsafe("commit")]);
  const failures = [opened, asked, committed].flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  // A connection that is gone has left the pool by itself.
  if (failures.every((failure) => failure instanceof postgres.PostgresError)) own.release();
  if (opened.status === "rejected") throw opened.reason;
  if (asked.status === "rejected") throw asked.reason;
  if (committed.status === "rejected") throw committed.reason;
  return asked.value;
}
