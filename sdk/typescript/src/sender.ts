import { OPERATIONS } from "./generated/operations.ts";
import type { Operations as PartnerOperations } from "./generated/partner.ts";
import type { Operations as SettlementOperations } from "./generated/settlement.ts";
import { newNonce, sha256Hex } from "./signing.ts";
import { type Call, type Options, stable, Transport } from "./transport.ts";
import type { Waiting } from "./waiting.ts";
import { type ReadPage, walkPages } from "./walk.ts";

type Operations = SettlementOperations & PartnerOperations;
type Id = keyof typeof OPERATIONS;
export type Body<Name extends Id> = Operations[Name]["body"];
export type Query<Name extends Id> = Operations[Name]["query"];
export type Result<Name extends Id> = Operations[Name]["result"];
type Params<Name extends Id> = Operations[Name]["params"];
/** The arguments of an operation; those of its path are required. */
type Given<Name extends Id> = { params?: Params<Name>; query?: Query<Name>; body?: Body<Name> } & (Record<never, never> extends Params<Name>
  ? unknown
  : { params: Params<Name> });

export type Asked = Pick<Waiting, "signal">;
/**
 * The purpose of a call in the caller's own words, for example an order's number. The idempotency key is derived from it, so that a
 * repeated call, for example after a crash, is the same call to the service. Another body with the same intent is refused.
 */
export type Intent = { intent: string };

/** Sends operations by their ids, each with the path, the types and the idempotency key that it needs. */
export class Sender {
  readonly #transport: Transport;

  /** @throws TypeError for invalid options */
  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  /** The service's clock, according to its last refusal. */
  now(): number {
    return this.#transport.now();
  }

  async any({ intent, ...call }: Omit<Call, "idempotencyKey"> & Partial<Intent>): Promise<unknown> {
    return await this.#send(call, intent ?? (await newNonce()));
  }

  /**
   * A call that may be repeated, or that the service recognises by the reference in it. All attempts of this call share a key. A later call
   * has another one, so that a stored refusal (`approval_pending`, for example) is not its answer for a day.
   */
  async call<Name extends Id>(id: Name, given: Given<Name>, { signal }: Asked): Promise<Result<Name>> {
    const intent = `${await newNonce()} ${stable(given.body ?? null)}`;
    return (await this.#send({ ...toCall(id, given), signal }, intent)) as Result<Name>;
  }

  /** A call that the service recognises only by its intent. */
  async callAs<Name extends Id>(id: Name, given: Given<Name>, { intent, signal }: Intent & Asked): Promise<Result<Name>> {
    if (!intent) throw new TypeError("an intent says something");
    return (await this.#send({ ...toCall(id, given), signal }, intent)) as Result<Name>;
  }

  walk<Name extends Id, Item>(
    id: Name,
    query: Query<Name>,
    { signal }: Asked,
    read: ReadPage<Result<Name>, Item>,
  ): AsyncGenerator<Item, void> {
    const { surface, method, path } = OPERATIONS[id];
    return walkPages((page) => this.#transport.send({ surface, method, path, query: page, signal }), query, read);
  }

  /** Answers are not validated here: the service's tests validate them against the documents that the types come from. */
  async #send(call: Call, intent: string): Promise<unknown> {
    const isKept = call.method === "POST" && call.surface !== "open";
    const key = isKept ? { idempotencyKey: `sdk-${await sha256Hex(`${call.path}\n${intent}`)}` } : {};
    return (await this.#transport.send({ ...call, ...key })).body;
  }
}

function toCall(id: Id, { params = {}, query, body }: { params?: Readonly<Record<string, string>>; query?: object; body?: unknown }): Call {
  const { surface, method, path } = OPERATIONS[id];
  return { surface, method, path: path.replace(/\{(\w+)\}/g, (_place, name: string) => step(params[name] ?? "")), query, body };
}

/** An id as one step of a path, with any content. */
function step(id: string): string {
  if (id === "" || id === "." || id === "..") throw new TypeError(`${JSON.stringify(id)} is no id`);
  return encodeURIComponent(id);
}
