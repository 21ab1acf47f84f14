import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect as connectNats } from "@nats-io/transport-node";
import { connect as connectAmqp } from "amqplib";
import { afterAll, describe, expect, it } from "vitest";
import { webhookSignature } from "#domain/signing.ts";
import { createBrokers } from "#server/adapters/brokers/brokers.ts";
import { startNats, startRabbit, type TestBroker } from "#testing/brokers.ts";
import { DESTINATIONS, type DestinationPartner, type Got, setDestinationStage, until } from "#testing/destination-stage.ts";

/**
 * Contract, part 12: destinations on real brokers, which are killed while they work. RabbitMQ takes seconds to start, so it is killed once
 * here; `BROKERS_AT_LENGTH=1 npx vitest run server/engines/event-destinations/brokers.test.ts` kills each broker 20 times in 5,000 events.
 */
const AT_LENGTH = process.env.BROKERS_AT_LENGTH === "1";

const stage = setDestinationStage();
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

type Message = { id: string; headers: Record<string, string>; body: string };

async function openRabbit() {
  const broker = await startRabbit();
  closing.push(broker.stop);
  const url = `amqp://guest:guest@127.0.0.1:${broker.port}`;
  const onQueue = async <Result>(
    work: (channel: Awaited<ReturnType<Awaited<ReturnType<typeof connectAmqp>>["createChannel"]>>) => Promise<Result>,
  ) => {
    const connection = await connectAmqp(url);
    const result = await work(await connection.createChannel());
    await connection.close();
    return result;
  };
  await onQueue(async (channel) => {
    await channel.assertQueue("events", { durable: true });
    await channel.bindQueue("events", "amq.topic", "#");
  });
  const read = () =>
    onQueue(async (channel) => {
      const { messageCount } = await channel.checkQueue("events");
      const read: Message[] = [];
      await new Promise<void>((resolve) => {
        if (messageCount === 0) resolve();
        void channel.consume("events", (message) => {
          if (message === null) return;
          const { messageId, headers } = message.properties;
          read.push({ id: messageId, headers: headers as Record<string, string>, body: message.content.toString() });
          if (read.length === messageCount) resolve();
        });
      });
      return read;
    });
  return { broker, url, read, type: "amqp" };
}

async function openNats() {
  const broker = await startNats();
  closing.push(broker.stop);
  const servers = `127.0.0.1:${broker.port}`;
  const connection = await connectNats({ servers });
  await (await jetstreamManager(connection)).streams.add({ name: "EVENTS", subjects: ["ours.>"] });
  await connection.close();
  const read = async () => {
    const reading = await connectNats({ servers });
    const { state } = await (await jetstreamManager(reading)).streams.info("EVENTS");
    const read: Message[] = [];
    if (state.messages > 0) {
      const messages = await (await jetstream(reading).consumers.get("EVENTS")).fetch({ max_messages: state.messages, expires: 20_000 });
      for await (const message of messages) {
        const headers = Object.fromEntries([...(message.headers ?? [])].map(([name, [value = ""]]) => [name, value]));
        read.push({ id: headers["Nats-Msg-Id"] ?? "", headers, body: message.string() });
        if (read.length === state.messages) break;
      }
    }
    await reading.close();
    return read;
  };
  return { broker, url: `nats://${servers}?subject=ours`, read, type: "nats" };
}

/** So many events of twenty objects, while the broker is killed so many times. */
async function happenWhileKilled(
  partner: DestinationPartner,
  id: string,
  events: number,
  broker: TestBroker,
  kills: number,
): Promise<void> {
  const objects = Array.from({ length: events }, (_, count) => `o${count % 20}`);
  const writing = [0, 1, 2, 3].map((writer) => stage.happen(partner, ...objects.filter((_, place) => place % 4 === writer)));
  for (let kill = 0; kill < kills; kill += 1) {
    await until(async () => (await stage.rowOf(partner, id)).lastDeliveredAt !== null);
    await broker.crash();
    await stage.later(1);
  }
  await Promise.all(writing);
  const horizon = (await stage.database.sql`select max(position)::text as last from events`)[0]?.last;
  await until(async () => {
    await stage.later(1);
    return (await stage.rowOf(partner, id)).place.position > BigInt(horizon);
  });
}

function expectAll(messages: readonly Message[], events: number, secret: string): void {
  const first = [...new Map(messages.toReversed().map((message) => [message.id, message])).values()].toReversed();
  expect(first).toHaveLength(events);
  const seen = first.map(({ body }) => JSON.parse(body) as Got);
  const wrong = [...Map.groupBy(seen, ({ object_id }) => object_id).values()].filter((theirs) =>
    theirs.some(({ version }, place) => version !== place + 1),
  );
  expect(wrong).toEqual([]);
  for (const { id, headers, body } of messages.slice(0, 20)) {
    expect(JSON.parse(body).id).toBe(id);
    const signature = webhookSignature(secret, id, Number(headers["webhook-timestamp"]), body);
    expect([headers["webhook-id"], headers["webhook-signature"]]).toEqual([id, signature]);
  }
}

describe.each([
  ["RabbitMQ", openRabbit, 1],
  ["NATS", openNats, 20],
] as const)("%s", (_name, open, kills) => {
  it("that is killed while it works has every event, in order for each object, and repeats under the same ids", async () => {
    const { broker, url, read, type } = await open();
    const partner = await stage.addPartner();
    const { id, secret } = await stage.create(partner, url, { type });
    expect((await partner.call("GET", `${DESTINATIONS}/${id}`)).body.url).toBe(url.replace("guest:guest@", ""));
    stage.work();
    const events = AT_LENGTH ? 5_000 : 1_000;
    await happenWhileKilled(partner, id, events, broker, AT_LENGTH ? 20 : kills);
    expectAll(await read(), events, secret);
  }, 900_000);
});

describe("a broker", () => {
  it("that drops what no queue takes has not got it", async () => {
    const broker = await startNats();
    closing.push(broker.stop);
    const partner = await stage.addPartner();
    const { id } = await stage.create(partner, `nats://127.0.0.1:${broker.port}`, { type: "nats" });
    stage.work();
    await stage.happen(partner, "a");
    await until(async () => (await stage.rowOf(partner, id)).failures > 0);
    expect(await stage.rowOf(partner, id)).toMatchObject({ lastDeliveredAt: null, status: "active" });
  });

  it.each([
    ["amqp", "amqp://user:word@broker.example", "malformed"],
    ["nats", "nats://broker.example", "malformed"],
    ["amqp", "tls://broker.example", "malformed"],
    ["amqp", "amqps://broker.example/?exchange=a&exchange=b", "malformed"],
    ["amqp", "amqps://broker.example/?frameMax=1", "malformed"],
    ["nats", "tls://broker.example/path", "malformed"],
    ["amqp", "amqps://10.0.0.1/", "forbidden"],
    ["nats", "tls://inside.example", "forbidden"],
    ["amqp", "amqps://broker.example:22", "forbidden"],
    ["amqp", "amqps://user:word@broker.example/vhost?exchange=ours", "allowed"],
    ["nats", "tls://broker.example?subject=ours.events", "allowed"],
  ] as const)("of %s at %s is %s in live mode", async (type, url, verdict) => {
    const resolve = async (host: string) => [host.startsWith("inside") ? "192.168.0.1" : "93.184.215.14"];
    const brokers = createBrokers({ allowPlain: false, exemptHosts: [], ports: [443, 8443], resolve });
    expect((await brokers.judge(type, url)).verdict).toBe(verdict);
    if (verdict !== "allowed") expect(await brokers.open(type, url)).toEqual(expect.any(String));
  });
});
