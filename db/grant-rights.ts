import type postgres from "postgres";
import { FUNCTIONS, FUNCTIONS_ON_CITUS, RIGHTS, RIGHTS_ON_CITUS } from "./rights.ts";

/** The roles by what they are for. The last two are of the release before, which may call every function of today's schema. */
export type GrantedRoles = { web: string; partner: string; worker: string; signer: string; application: string; formerPartner: string };

/**
 * Gives the roles of web, partner, worker and signer what `db/rights.ts` says, and nothing else, in one transaction: a process that runs meanwhile
 * never lacks a right. A database at an earlier schema lacks some tables, columns and functions. Runs as the owner.
 */
export async function grantRights(sql: postgres.Sql, roles: GrantedRoles): Promise<void> {
  const { web, partner, worker, signer, application, formerPartner } = roles;
  const kinds = Object.entries({ web, partner, worker, signer });
  await sql.begin(async (tx) => {
    const columns = await columnsThere(tx);
    const all = quoted([web, partner, worker, signer]);
    const statements = [
      `revoke all on all tables in schema public from ${all}`,
      `grant usage on schema public, drizzle to ${all}`,
      `grant select on drizzle.__drizzle_migrations to ${all}`,
    ];
    for (const [table, rights] of Object.entries({ ...RIGHTS, ...RIGHTS_ON_CITUS })) {
      const known = columns.get(table);
      if (known === undefined) continue;
      for (const [kind, role] of kinds) {
        const grants = withColumns(rights[kind as keyof typeof rights], known);
        if (grants !== "") statements.push(`grant ${grants} on "${table}" to "${role}"`);
      }
    }
    for (const [signature, callers] of Object.entries({ ...FUNCTIONS, ...FUNCTIONS_ON_CITUS })) {
      const [found] = await tx`select to_regprocedure(${signature}) as it`;
      if (found?.it === null) continue;
      const may = kinds.filter(([kind]) => callers.includes(kind as (typeof callers)[number])).map(([, role]) => role);
      statements.push(`revoke all on function ${signature} from public, ${all}`);
      statements.push(`grant execute on function ${signature} to ${quoted([...may, application, formerPartner])}`);
    }
    await tx.unsafe(statements.join(";\n"));
  });
}

/** Tables and views, with their columns. */
async function columnsThere(tx: postgres.TransactionSql): Promise<Map<string, string[]>> {
  const rows = await tx<{ name: string; columns: string[] }[]>`
    select relname as name, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Without the columns that an earlier schema lacks. */
function withColumns(grants: string, known: readonly string[]): string {
  return grants.replaceAll(/(, )?(\w+) \(([^)]*)\)/g, (_, comma = "", word: string, names: string) => {
    const there = names.split(",").flatMap((name) => (known.includes(name.trim()) ? [`"${name.trim()}"`] : []));
    return there.length === 0 ? "" : `${comma}${word} (${there.join(", ")})`;
  });
}

function quoted(roles: readonly string[]): string {
  return roles.map((role) => `"${role}"`).join(", ");
}
