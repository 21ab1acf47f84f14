import type postgres from "postgres";
import { COUNTING_SETTING, PERSON_SETTING, TENANT_SETTING } from "./driver/tenant.ts";

/** Without a setting, no row equals it. In a session where it was once set, it is not a valid id, and the statement fails. */
const TENANT = `current_setting('${TENANT_SETTING}', true)::uuid`;
/**
 * `is true` prevents an index scan because of the policy: with `id = $1` the planner chose the index of a partner's newest rows and walked
 * all of it. A query for a partner's rows filters by partner itself, and uses the index for that.
 */
const OWN = `(partner_id = ${TENANT}) is true`;

/** Which rows a partner's work may read and may write. `worker`: which rows the worker may write, where that is not all; `web`: which rows the web process may touch. */
type Rule = { reads: string; writes: string; worker?: string; web?: string };

/** Only its own rows. */
const ITS_OWN: Rule = { reads: OWN, writes: OWN };
/** Its own rows; it may also read rows without an owner. */
const ITS_OWN_AND_SHARED: Rule = { reads: `${OWN} or partner_id is null`, writes: OWN };

/** Its own rows, and rows that the previous version wrote without an owner; those are only reached through rows with one. */
const ITS_OWN_OR_UNSAID: Rule = { reads: `${OWN} or partner_id is null`, writes: `${OWN} or partner_id is null` };

/** A partner's work writes the hold of its own payment at the confirmation; only the operator reads it. */
const IS_SEEN = "exists (select from settlements s where s.id = object_id)";
const HOLD = `partner_id is null and action = 'payment.held' and ${IS_SEEN}`;

/** The worker brings settlements to their end. That one is owed is written by the web process alone. */
const OWES_NOTHING = "status <> 'processing'";

/**
 * The rights of a partner's work on each table with an owner; the processes' roles may use all of them. `db/policies.test.ts` finds a
 * table with `partner_id` that is missing here: one line each. Totals over all partners (promises, windows of limits) belong to no partner
 * and are read through their own views (docs/decisions/second-line.md).
 */
export const POLICIES: Readonly<Record<string, Rule>> = {
  api_keys: ITS_OWN,
  api_requests: ITS_OWN,
  approval_demands: ITS_OWN,
  audit_entries: { reads: `${OWN} or (${HOLD})`, writes: `${OWN} or (${HOLD})` },
  bookings: ITS_OWN,
  callback_attempts: ITS_OWN_OR_UNSAID,
  callback_secrets: ITS_OWN,
  callbacks: ITS_OWN,
  event_counters: ITS_OWN,
  event_destinations: ITS_OWN,
  event_floors: ITS_OWN,
  events: ITS_OWN,
  exposure_limits: ITS_OWN_AND_SHARED,
  idempotency_keys: ITS_OWN,
  identity_providers: ITS_OWN,
  invitations: ITS_OWN,
  ledger_entries: ITS_OWN,
  // An entry's other lines are the operator's: they are written with it, and read with it.
  ledger_postings: {
    reads: `${OWN} or (partner_id is null and exists (select from ledger_entries e where e.id = entry_id))`,
    writes: `${OWN} or partner_id is null`,
  },
  ledger_snapshots: ITS_OWN,
  members: ITS_OWN,
  pair_terms: ITS_OWN_AND_SHARED,
  partners: { reads: `id = ${TENANT}`, writes: `id = ${TENANT}` },
  notifications: ITS_OWN,
  paused_receivers: ITS_OWN_AND_SHARED,
  payment_holds: ITS_OWN,
  payment_verdicts: ITS_OWN,
  resend_jobs: ITS_OWN,
  safe_deployments: ITS_OWN_AND_SHARED,
  saved_views: ITS_OWN,
  settlement_approvals: ITS_OWN_OR_UNSAID,
  settlement_batches: ITS_OWN,
  settlement_quotes: ITS_OWN_OR_UNSAID,
  settlements: { ...ITS_OWN, worker: OWES_NOTHING },
  topups: ITS_OWN,
  transfers: ITS_OWN,
  users: ITS_OWN,
  withdrawals: ITS_OWN,
};

/** On Citus a view has its caller's rights on the nodes. So a partner's work may read all settlements there while it counts open quotes. */
const COUNTING = `coalesce(current_setting('${COUNTING_SETTING}', true) = 'on', false)`;

/** Of the tables that Citus's layout adds (`db/citus-tables.ts`), and those that differ there. */
const POLICIES_ON_CITUS: Readonly<Record<string, Rule>> = {
  citus_nonces: ITS_OWN,
  citus_outbox: ITS_OWN,
  settlements: { reads: `${OWN} or ${COUNTING}`, writes: OWN, worker: OWES_NOTHING },
};

/** Rows of its own people: of another partner's or of the operator's person a partner's work does not even see the user. */
const OF_ITS_PERSON = "exists (select from users u where u.id = user_id)";
const ITS_PEOPLES: Rule = { reads: OF_ITS_PERSON, writes: OF_ITS_PERSON };
/** For one person only that person's. In a session where it was once set, the setting is empty. */
const PERSON = `nullif(current_setting('${PERSON_SETTING}', true), '')::uuid`;
const OF_PERSON = `(${PERSON} is null or user_id = ${PERSON})`;
const OF_THE_PERSON = `${OF_PERSON} and ${OF_ITS_PERSON}`;
/** Also of the operator's people, who work in the role of the web process. */
const ITS_PERSONS: Rule = { reads: OF_THE_PERSON, writes: OF_THE_PERSON, web: OF_PERSON };
const OF_ITS_PROVIDER = "exists (select from identity_providers p where p.id = provider_id)";
const ITS_PROVIDERS: Rule = { reads: OF_ITS_PROVIDER, writes: OF_ITS_PROVIDER };

/**
 * The same for tables that name a person or a provider in place of a partner: sessions, factors, tokens and what belongs to them. The test
 * finds a table with `user_id` that a partner's work may touch and that is missing here. The release before has no policies on them, and may
 * still run.
 */
export const POLICIES_OF_PEOPLE: Readonly<Record<string, Rule>> = {
  access_tokens: ITS_PERSONS,
  directory_users: ITS_PROVIDERS,
  identities: ITS_PEOPLES,
  identity_requests: ITS_PROVIDERS,
  login_origins: ITS_PERSONS,
  notification_messages: ITS_PEOPLES,
  notification_rules: ITS_PERSONS,
  notification_settings: ITS_PERSONS,
  passkey_challenges: ITS_PERSONS,
  passkeys: ITS_PERSONS,
  recovery_codes: ITS_PERSONS,
  sessions: ITS_PERSONS,
};

/** `partner`: a partner's request; `formerPartner`: one of the release before. */
type Roles = { application: string; web: string; worker: string; signer: string; partner: string; formerPartner: string };
/** By name, which is its role's: for whom, whereto, and which rows. */
type Policy = { name: string; role: string; command: Command; using: string | null; check: string | null };
type Command = "all" | "select" | "insert" | "update" | "delete";

/**
 * PostgreSQL grants what any one policy of a role grants, and a policy "for all" also grants reading: where reading and writing differ,
 * each command has its own policy.
 */
function policiesOf(
  { worker: workerWrites = "true", web: webTouches = "true", ...rule }: Rule,
  { application, web, worker, signer, partner, formerPartner }: Roles,
  isOfPeople: boolean,
): Policy[] {
  const everything = (role: string, check = "true", using = "true"): Policy => ({ name: role, role, command: "all", using, check });
  const all = [everything(application), everything(web, webTouches, webTouches), everything(worker, workerWrites)];
  const reader: Policy = { name: signer, role: signer, command: "select", using: "true", check: null };
  const former = isOfPeople ? [everything(formerPartner)] : ofPartner(formerPartner, rule);
  return [...all, reader, ...former, ...ofPartner(partner, rule)];
}

function ofPartner(partner: string, { reads, writes }: Pick<Rule, "reads" | "writes">): Policy[] {
  const own = { name: partner, role: partner };
  // PostgreSQL cuts names off at 63 characters.
  const stem = partner.slice(0, 55);
  if (reads === writes) return [{ ...own, command: "all", using: writes, check: writes }];
  return [
    { ...own, command: "select", using: reads, check: null },
    { ...own, name: `${stem}_inserts`, command: "insert", using: null, check: writes },
    { ...own, name: `${stem}_updates`, command: "update", using: writes, check: writes },
    { ...own, name: `${stem}_deletes`, command: "delete", using: writes, check: null },
  ];
}

/**
 * Creates or updates the policies that differ from this list; nothing is locked where nothing changes. Runs as the owner, whom policies do
 * not restrict. A database at an earlier schema lacks some tables and columns. `onCitus`: in words that Citus understands.
 */
export async function applyPolicies(sql: postgres.Sql, roles: Roles, onCitus = false): Promise<void> {
  const existing = await sql<{ name: string; enabled: boolean; namesOwner: boolean; notes: string[]; ofPartners: string[] }[]>`
    select relname as name, relrowsecurity as enabled,
      relname = 'partners' or exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname in ('partner_id', 'user_id', 'provider_id')) as "namesOwner",
      array(select obj_description(p.oid, 'pg_policy') from pg_policy p where p.polrelid = c.oid) as notes,
      array(select polname::text from pg_policy p join pg_roles r on p.polroles = array[r.oid] where p.polrelid = c.oid and r.rolname = any(${[roles.partner, roles.formerPartner]})) as "ofPartners"
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  for (const { name, enabled, namesOwner, notes, ofPartners } of existing) {
    const rule = (onCitus ? POLICIES_ON_CITUS[name] : undefined) ?? POLICIES[name] ?? POLICIES_OF_PEOPLE[name];
    if (rule === undefined || !namesOwner) continue;
    const wanted = policiesOf(rule, roles, name in POLICIES_OF_PEOPLE);
    const missing = wanted.filter((policy) => !notes.includes(noteOf(policy)));
    const surplus = ofPartners.filter((held) => !wanted.some((policy) => policy.name === held));
    if (enabled && missing.length === 0 && surplus.length === 0) continue;
    await sql.begin(async (tx) => {
      for (const held of surplus) await tx`drop policy ${tx(held)} on ${tx(name)}`;
      for (const policy of missing) await create(tx, name, onCitus ? inCitusWords(policy) : policy, noteOf(policy));
      await tx`alter table ${tx(name)} enable row level security`;
    });
  }
}

/** A comment on the policy, which is dropped with it. */
function noteOf(policy: Policy): string {
  return JSON.stringify(policy);
}

/** On Citus: the coordinator evaluates it for every role, also where a session has had a partner before and has none now. */
const ANY_TENANT = `nullif(current_setting('${TENANT_SETTING}', true), '')::uuid`;

/**
 * Citus reads each condition a second time, after PostgreSQL has changed an `is true` in it, and then fails. There the worker also counts
 * events of a settlement that is owed, as its own role, and a trigger refuses everything else (`OWED_IS_KEPT` in `db/citus-functions.ts`).
 */
function inCitusWords(policy: Policy): Policy {
  const say = (condition: string | null) =>
    condition
      ?.replaceAll(OWN, `coalesce(partner_id = ${TENANT}, false)`)
      .replaceAll(IS_SEEN, "citus_sees(object_id)")
      .replaceAll(OWES_NOTHING, "true")
      .replaceAll(TENANT, ANY_TENANT) ?? null;
  return { ...policy, using: say(policy.using), check: say(policy.check) };
}

async function create(
  tx: postgres.TransactionSql,
  table: string,
  { name, role, command, using, check }: Policy,
  note: string,
): Promise<void> {
  const place = `"${name}" on "${table}"`;
  const used = using === null ? "" : ` using (${using})`;
  const checked = check === null ? "" : ` with check (${check})`;
  await tx.unsafe(`drop policy if exists ${place}`);
  await tx.unsafe(`create policy ${place} for ${command} to "${role}"${used}${checked}`);
  await tx.unsafe(`comment on policy ${place} is '${note.replaceAll("'", "''")}'`);
}
