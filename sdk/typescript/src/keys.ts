import type { Asked, Body, Intent, Query, Result, Sender } from "./sender.ts";

export type Keys = ReturnType<typeof keysOf>;

/** The operations of API keys and of the callback secret, as the client has them. */
export function keysOf(sender: Sender) {
  return {
    list: (query: Query<"list_api_keys"> = {}, asked: Asked = {}): Promise<Result<"list_api_keys">> =>
      sender.call("list_api_keys", { query }, asked),
    /** A successor with the same rights. The answer contains its secret; for a day, the same `intent` returns it again. */
    rotate: (id: string, body: Body<"rotate_api_key">, asked: Intent & Asked): Promise<Result<"rotate_api_key">> =>
      sender.callAs("rotate_api_key", { params: { id }, body }, asked),
    /** Revokes a key at once. */
    revoke: async (id: string, asked: Asked = {}): Promise<void> => {
      await sender.call("delete_api_key", { params: { id } }, asked);
    },
    /**
     * A new secret for callbacks; `partnerId` is `id` of `partner()`. The answer contains it; for a day, the same `intent` returns it
     * again.
     */
    rotateCallbackSecret: (
      partnerId: string,
      body: Body<"rotate_callback_secret">,
      asked: Intent & Asked,
    ): Promise<Result<"rotate_callback_secret">> =>
      sender.callAs("rotate_callback_secret", { params: { partner_id: partnerId }, body }, asked),
  };
}
