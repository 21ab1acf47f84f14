import { expect, inject } from "vitest";
import { withConnection } from "#sandbox/postgres/server.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { testVault } from "#testing/callbacks.ts";
import type { TestPartner } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { newAddress } from "#testing/transfers.ts";
import { inDatabase } from "./cluster.ts";
import type { CitusStage } from "./stage.ts";

/** Where what belongs to a settlement is: on its node, or on the coordinator. `counted`: its last position on its node. */
export type Places = {
  waits: number;
  entries: number;
  unsealed: number;
  payments: number;
  events: { version: number; position: string }[];
  counted: string;
};

/** Looks at a partner's settlements on its node and on the coordinator, and calls as one of its keys. */
export function openPartnerNode(on: CitusStage, { partnerId }: TestPartner) {
  const { sql } = on.database;
  async function placesOf(id: string): Promise<Places> {
    const [outbox] = await sql`select count(*)::int as count from citus_outbox where partner_id = ${partnerId} and settlement_id = ${id}`;
    const [entries] =
      await sql`select count(*)::int as count, (select count(*)::int from audit_unsealed u join audit_entries e on e.id = u.entry_id
      where e.object_id = ${id}) as unsealed from audit_entries where object_id = ${id} and partner_id = ${partnerId}`;
    const events = await sql<Places["events"]>`select version, position::text from events
      where partner_id = ${partnerId} and object_id = ${id} order by version`;
    const [payments] = await sql`select count(*)::int as count from transfers where owner_id = ${id} and partner_id = ${partnerId}`;
    const [row] = await sql`select events_position::text as at from settlements where partner_id = ${partnerId} and id = ${id}`;
    const kept = { entries: entries?.count, unsealed: entries?.unsealed, payments: payments?.count };
    return { waits: outbox?.count, ...kept, events: [...events], counted: row?.at };
  }

  function order() {
    const { chain } = on.chain;
    const money = { source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-1" };
    return { ...money, chain, wallet_address: newAddress() };
  }

  async function asKey() {
    const ctx = { ...testContext(on.database.db), chains: on.stage.powers.chains, vault: testVault };
    const served = testSurfaceContext(ctx);
    const key = await issueKey(ctx, { partnerId });
    const { surface, bindings } = REGISTRY.settlement;
    const ask = async (parts: Parameters<typeof signedRequest>[1]) =>
      readAnswer(await handle(surface, served, bindings, signedRequest(key, parts)));
    return { ask, key };
  }

  /** Ends the coordinator's connections to the node that are in a transaction: so many. */
  async function endConnections(count = 1): Promise<void> {
    const [place] = await sql<{ port: number }[]>`select nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column('settlements', ${partnerId}::uuid)`;
    const node = inject("testServer").nodes.find((url) => Number(new URL(url).port) === place?.port) ?? "";
    const ended = await withConnection(
      inDatabase(node, new URL(on.database.url).pathname.slice(1)),
      (superuser) => superuser`select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
    );
    expect([...ended]).toEqual(Array.from({ length: count }, () => ({ ended: true })));
  }
  return { placesOf, order, asKey, endConnections };
}

export type PartnerNode = ReturnType<typeof openPartnerNode>;
