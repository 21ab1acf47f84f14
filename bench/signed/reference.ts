/**
 * What is compared with: a bare server that does no more than has to be done. It judges the signature of one known key, and keeps what it
 * is told in one prepared statement of the same PostgreSQL; a read burns its nonce and selects. Started by `start-reference.ts`.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import postgres from "postgres";
import { z } from "zod";
import { BRAND } from "#sandbox/client/signing.ts";

const Setup = z.object({ databaseUrl: z.string(), secret: z.string(), connections: z.number() });
const Body = z.looseObject({ source_amount: z.number() });

async function serve({ databaseUrl, secret, connections }: z.infer<typeof Setup>): Promise<number> {
  const sql = postgres(databaseUrl, { max: connections, onnotice: () => {} });
  await sql`create table if not exists bench_nonces (nonce text primary key, seen_at timestamptz not null default now())`;
  await sql`create table if not exists bench_quotes (id uuid primary key, amount bigint not null, body jsonb not null, created_at timestamptz not null default now())`;
  const known = randomUUID();
  await sql`insert into bench_quotes (id, amount, body) values (${known}, 1, ${sql.json({ source_amount: 1 })})`;

  const answer = async (request: IncomingMessage, bytes: Buffer): Promise<[status: number, body: unknown]> => {
    const { method = "", url = "", headers } = request;
    const header = (name: string) => String(headers[`x-${BRAND.toLowerCase()}-${name}`] ?? "");
    const [path = "", query = ""] = url.split("?");
    const mac = createHmac("sha256", secret)
      .update(`${header("timestamp")}\n${method}\n${path}\n${query}\n`)
      .update(bytes)
      .digest();
    const told = Buffer.from(header("signature"), "hex");
    if (told.length !== mac.length || !timingSafeEqual(told, mac)) return [401, { error: "signature" }];
    const nonce = header("nonce");
    if (method === "GET") {
      await sql`insert into bench_nonces (nonce) values (${nonce})`;
      const [row] = await sql`select id, amount, body, created_at from bench_quotes where id = ${known}`;
      return [200, row];
    }
    const body = Body.parse(JSON.parse(bytes.toString("utf8")));
    const [row] = await sql`
      with burnt as (insert into bench_nonces (nonce) values (${nonce}) returning nonce)
      insert into bench_quotes (id, amount, body) select ${randomUUID()}, ${body.source_amount}, ${sql.json({ source_amount: body.source_amount })}
      from burnt returning id, amount, body, created_at`;
    return [201, row];
  };

  const reply = (response: ServerResponse, [status, body]: [number, unknown]) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      answer(request, Buffer.concat(chunks)).then(
        (told) => reply(response, told),
        (error: unknown) => reply(response, [500, { error: String(error) }]),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

process.once("message", (message) => {
  void serve(Setup.parse(message)).then((port) => process.send?.({ port }));
});
process.once("disconnect", () => process.exit(0));
