import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "amqplib";
import { findPlace } from "#db/queries/events/destinations.ts";
import { newId } from "#domain/ids.ts";
import { createBrokers } from "#server/adapters/brokers/brokers.ts";
import { destinationDuties } from "#server/engines/event-destinations/duties.ts";
import { createDestinationEngine } from "#server/engines/event-destinations/engine.ts";
import { createDestination } from "#server/services/event-destinations/destinations.ts";
import { startLoop } from "#server/worker/loop.ts";
import { startRabbit } from "#testing/brokers.ts";
import { addSigningPartner, localSender, silentLog, testVault } from "#testing/callbacks.ts";
import { type BenchDatabase, type BenchServer, proveBooks } from "#testing/stage/database.ts";
import { spent } from "./processes.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Side } from "./rounds.ts";

const TYPE = "withdrawal.processing";
/** An event with what the GET of a withdrawal answers has some 1,250 bytes. */
const NOTE = 900;
const BODY = Buffer.alloc(1_250, "x");
/** The events are about nothing. */
const ABOUT_NOTHING = ["change_has_its_event", "event_versions_rise_by_one", "last_event_agrees"];
/** As the worker has under way. */
const AT_ONCE = 500;

/**
 * Events of one partner to its RabbitMQ by one worker in this process, compared with a bare loop of `amqplib`: as many messages of that size
 * to the same exchange, persistent and confirmed.
 */
export async function measureEvents(server: BenchServer, timings: { rounds: number; count: number }): Promise<string> {
  const broker = await startRabbit();
  const url = `amqp://guest:guest@127.0.0.1:${broker.port}`;
  try {
    return await server.withDatabase(async (database) => {
      const sides = await sidesOf(database, url, timings.count);
      return `${ratesTable(await inTurns(sides, timings.rounds))}\n\n${await proveBooks(database, { without: ABOUT_NOTHING })}`;
    });
  } finally {
    await broker.stop();
  }
}

async function sidesOf(database: BenchDatabase, url: string, count: number): Promise<Side[]> {
  const { partnerId, apiKeyId, by } = await addSigningPartner(database.db);
  const given = { partnerId, apiKeyId, by, type: "amqp", url, types: ["withdrawal.*"], description: "", scopes: ["partner:read"] } as const;
  const begin = (await findPlace(database.db, partnerId, null)).place.position;
  const { destination } = await createDestination({ db: database.db, vault: testVault }, { ...given, types: [...given.types] });
  await addEvents(database, partnerId, count);
  const tally = async (who: string, work: () => Promise<void>) => {
    await emptyQueue(url);
    const { seconds, cpuMs } = await spent(work);
    const arrived = await emptyQueue(url);
    if (arrived < count) throw new Error(`${arrived} of ${count} events arrived`);
    return { done: count, seconds, cpuMs: { [who]: cpuMs.bench ?? 0, PostgreSQL: cpuMs.PostgreSQL ?? 0 } };
  };
  const bare = "bare amqplib";
  const deliverAll = async () => {
    await database.sql`update event_destinations set position = ${String(begin)}::bigint, version = 0, event_id = '' where id = ${destination.id}`;
    return await tally("worker", () => deliver(database));
  };
  return [
    { name: "events to RabbitMQ", run: deliverAll, against: { name: bare } },
    { name: bare, run: () => tally("loop", () => publishBarely(url, count)) },
  ];
}

async function addEvents({ sql }: BenchDatabase, partnerId: string, count: number): Promise<void> {
  const stem = newId("event", new Date()).slice(0, -16);
  await sql`insert into events (id, partner_id, position, version, object_type, object_id, type, audience, created_at, data)
    select ${stem} || lpad(n::text, 16, '0'), ${partnerId}, pg_current_xact_id()::text::bigint, 1, 'withdrawal', 'wd_' || lpad(n::text, 26, '0'),
      ${TYPE}, 'partner', business_now(), json_build_object('id', n, 'note', repeat('x', ${NOTE}::int)) from generate_series(1, ${count}::int) n`;
}

/** One worker as the real one runs it, until everything is delivered and written. */
async function deliver({ db, sql }: BenchDatabase): Promise<void> {
  const brokers = createBrokers({ allowPlain: true, exemptHosts: ["127.0.0.1"] });
  const ctx = { db, clock: { now: () => new Date() }, vault: testVault, callbacks: localSender, brokers, log: silentLog };
  const engine = createDestinationEngine(ctx, { brand: "Service", signPublicly: null });
  const loop = startLoop({ duties: destinationDuties(engine), listen: async () => {}, log: silentLog });
  for (;;) {
    const open = await sql`select from event_destinations d where exists (select from events e
      where e.partner_id = d.partner_id and (e.position, e.version, e.id) > (d.position, d.version, d.event_id))`;
    if (open.length === 0) break;
    await sleep(20);
  }
  await loop.stop();
}

async function publishBarely(url: string, count: number): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  for (let sent = 1; sent <= count; sent += 1) {
    channel.publish("amq.topic", TYPE, BODY, { persistent: true, mandatory: true, messageId: String(sent) });
    if (sent % AT_ONCE === 0) await channel.waitForConfirms();
  }
  await channel.waitForConfirms();
  await connection.close();
}

/** Answers how many messages were in it. */
async function emptyQueue(url: string): Promise<number> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue("events", { durable: true });
  await channel.bindQueue("events", "amq.topic", "#");
  const { messageCount } = await channel.purgeQueue("events");
  await connection.close();
  return messageCount;
}
