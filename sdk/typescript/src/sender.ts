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
/** What an operation is given; a place in its path cannot be left out. */
type Given<Name extends Id> = { params?: Params<Name>; query?: Query<Name>; body?: Body<Name> } & (Record<never, never> extends Params<Name>
  ? unknown
  : { params: Params<Name> });

export type Asked = Pick<Waiting, "signal">;
/**
 * What a call is for, in the caller's own words: an order's number, say. The idempotency key is made of it, so that the same call, made
 * again after a crash, is the same call to the service. Another body under the same intent is refused.
 */
export type Intent = { intent: string };

/** Sends operations by their ids, each with the path, the types and the idempotency key that it needs. */
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
    return await this.#send(call, intent ?? (await newNonce()));
  }

  /**
   * What may be repeated, or what the service itself knows again by the reference in it. All attempts of this call share a key; a later call
   * has one of its own, so that a refusal that was kept (`approval_pending`, say) is not its answer for a day.
   */
  async call<Name extends Id>(id: Name, given: Given<Name>, { signal }: Asked): Promise<Result<Name>> {
    const intent = `${await newNonce()} ${stable(given.body ?? null)}`;
    return (await this.#send({ ...toCall(id, given), signal }, intent)) as Result<Name>;
  }

  /** What the service knows again by its intent alone. */
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

  /** The answers are checked against the very documents that the types are made of: by the service's tests, not here. */
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

/** An id as one step of a path, whatever is in it. */
function step(id: string): string {
  if (id === "" || id === "." || id === "..") throw new TypeError(`${JSON.stringify(id)} is no id`);
  return encodeURIComponent(id);
}
