import type { Operations as PartnerOperations } from "./generated/partner.ts";
import type { Operations as SettlementOperations } from "./generated/settlement.ts";
import { newNonce, sha256Hex } from "./signing.ts";
import { type Call, type Options, stable, Transport } from "./transport.ts";
import type { Waiting } from "./waiting.ts";
import { type ReadPage, walkPages } from "./walk.ts";

type Operations = SettlementOperations & PartnerOperations;
type Id = keyof Operations;
export type Body<Name extends Id> = Operations[Name]["body"];
export type Query<Name extends Id> = Operations[Name]["query"];
export type Result<Name extends Id> = Operations[Name]["result"];

export type Asked = Pick<Waiting, "signal">;
/**
 * What a call is for, in the caller's own words: an order's number, say. The idempotency key is made of it, so that the same call, made
 * again after a crash, is the same call to the service. Another body under the same intent is refused.
 */
export type Intent = { intent: string };

/** Sends operations by their paths, each with the types and the idempotency key that it needs. */
export class Sender {
  readonly #transport: Transport;

  /** @throws TypeError where the options cannot be right. */
  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  /** The service's clock, as far as a refusal has told it. */
  now(): number {
    return this.#transport.now();
  }

  async any({ intent, ...call }: Omit<Call, "idempotencyKey"> & Partial<Intent>): Promise<unknown> {
    const key = call.method === "POST" ? { idempotencyKey: await this.#key(call.path, intent ?? (await newNonce())) } : {};
    return (await this.#transport.send({ ...call, ...key })).body;
  }

  async get<Name extends Id>(path: string, query: object, { signal }: Asked): Promise<Result<Name>> {
    return await this.result<Name>({ surface: surfaceOf(path), method: "GET", path, query, signal });
  }

  async post<Name extends Id>(path: string, body: unknown, intent: string, signal?: AbortSignal): Promise<Result<Name>> {
    if (intent === "") throw new TypeError("an intent says something");
    return await this.result<Name>({
      surface: surfaceOf(path),
      method: "POST",
      path,
      body,
      signal,
      idempotencyKey: await this.#key(path, intent),
    });
  }

  /**
   * What the service itself knows again, by the reference in it. All attempts of this call share a key; a later call has one of its own,
   * so that a refusal that was kept (`approval_pending`, say) is not its answer for a day.
   */
  async repeatable<Name extends Id>(path: string, body: unknown, { signal }: Asked): Promise<Result<Name>> {
    return await this.post<Name>(path, body, `${await newNonce()} ${stable(body ?? null)}`, signal);
  }

  /** The answers are checked against the very documents that the types are made of: by the service's tests, not here. */
  async result<Name extends Id>(call: Call): Promise<Result<Name>> {
    return (await this.#transport.send(call)).body as Result<Name>;
  }

  async #key(path: string, intent: string): Promise<string> {
    return `sdk-${await sha256Hex(`${path}\n${intent}`)}`;
  }

  walk<Body, Item>(path: string, query: object, { signal }: Asked, read: ReadPage<Body, Item>): AsyncGenerator<Item, void> {
    const ask = (page: object) => this.#transport.send({ surface: surfaceOf(path), method: "GET", path, query: page, signal });
    return walkPages(ask, query, read);
  }
}

function surfaceOf(path: string): Call["surface"] {
  return path.startsWith("/api/v1/") ? "settlement" : "partner";
}
