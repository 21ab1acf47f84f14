/**
 * The reference for the signed surface: Fastify with the minimum of work. It verifies the signature of one known key, and stores the input
 * with one prepared statement in the same PostgreSQL; a read burns its nonce and selects. In another mode, for the cost of the rows alone,
 * it writes the same rows as the service in one handwritten statement, without any checks.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { type FastifyInstance, type FastifyRequest, fastify } from "fastify";
import postgres from "postgres";
import { z } from "zod";
import { BRAND } from "#sandbox/client/signing.ts";
import { onTask } from "./run.ts";
import { answerOf, sameRows } from "./same-rows.ts";

const Setup = z.object({
  databaseUrl: z.string(),
  secret: z.string(),
  connections: z.number(),
  target: z.string(),
  /** Whether it leaves behind what the service does, once that has made some to copy. */
  sameRows: z.boolean().default(false),
});
const Confirmed = z.looseObject({ external_tx_id: z.string() });
const Body = z.looseObject({ source_amount: z.number() });

const headerOf = ({ headers }: FastifyRequest, name: string) => String(headers[`x-${BRAND.toLowerCase()}-${name}`] ?? "");

function isSigned(request: FastifyRequest, secret: string): boolean {
  const [path = "", query = ""] = request.url.split("?");
  const mac = createHmac("sha256", secret)
    .update(`${headerOf(request, "timestamp")}\n${request.method}\n${path}\n${query}\n`)
    .update(Buffer.isBuffer(request.body) ? request.body : "")
    .digest();
  const signature = Buffer.from(headerOf(request, "signature"), "hex");
  return signature.length === mac.length && timingSafeEqual(signature, mac);
}

async function serve({ databaseUrl, secret, connections, target, sameRows: leavesSameRows }: z.infer<typeof Setup>): Promise<string> {
  const sql = postgres(databaseUrl, { max: connections, onnotice: () => {} });
  await sql`create table if not exists bench_nonces (nonce text primary key, seen_at timestamptz not null default now())`;
  await sql`create table if not exists bench_quotes (id uuid primary key, amount bigint not null, body jsonb not null, created_at timestamptz not null default now())`;
  const known = randomUUID();
  await sql`insert into bench_quotes (id, amount, body) values (${known}, 1, ${sql.json({ source_amount: 1 })})`;

  const app = fastify();
  app.removeAllContentTypeParsers();
  // The signature is over the bytes.
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
  app.addHook("preHandler", async (request, reply) => {
    if (!isSigned(request, secret)) await reply.code(401).send({ error: "signature" });
  });
  if (leavesSameRows) await answerWithSameRows(app, sql, target);
  else answerWithOneRow(app, sql, target, known);
  return await app.listen({ host: "127.0.0.1", port: 0 });
}

async function answerWithSameRows(app: FastifyInstance, sql: postgres.Sql, target: string): Promise<void> {
  const rows = await sameRows(sql);
  app.post(target, async (request, reply) => {
    Body.parse(JSON.parse(String(request.body)));
    return await reply.code(201).send(answerOf(await rows.create(headerOf(request, "nonce"))));
  });
  app.post<{ Params: { id: string } }>(`${target}/:id/confirm`, async (request) => {
    const { external_tx_id } = Confirmed.parse(JSON.parse(String(request.body)));
    await rows.confirm(headerOf(request, "nonce"), request.params.id, external_tx_id);
    return answerOf(request.params.id);
  });
  app.get<{ Params: { id: string } }>(`${target}/:id`, (request) => rows.read(headerOf(request, "nonce"), request.params.id));
}

function answerWithOneRow(app: FastifyInstance, sql: postgres.Sql, target: string, known: string): void {
  app.post(target, async (request, reply) => {
    const { source_amount } = Body.parse(JSON.parse(String(request.body)));
    const [row] = await sql`
      insert into bench_quotes (id, amount, body) values (${randomUUID()}, ${source_amount}, ${sql.json({ source_amount })})
      returning id as tx_id, amount, body, created_at`;
    return await reply.code(201).send(row);
  });
  app.get(`${target}/:id`, async (request) => {
    await sql`insert into bench_nonces (nonce) values (${headerOf(request, "nonce")})`;
    const [row] = await sql`select id as tx_id, amount, body, created_at from bench_quotes where id = ${known}`;
    return row;
  });
}

onTask((task) => serve(Setup.parse(task)));
