import {
  changeDestinationOperation,
  createDestinationOperation,
  deleteDestinationOperation,
  getDestinationOperation,
  listDestinationsOperation,
  replayDestinationOperation,
  testDestinationOperation,
} from "#contract/settlement/v1/event-destination-operations.ts";
import { renderDestination } from "#contract/settlement/v1/event-destinations.ts";
import { toInside } from "#contract/wire.ts";
import {
  changeDestination,
  checkDestinationUrl,
  createDestination,
  readDestination,
  readDestinations,
  removeDestination,
  replayDestination,
  testDestination,
} from "#server/services/event-destinations/destinations.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** The operations of event destinations (contract, part 12). */

export const EVENT_DESTINATIONS: readonly Binding[] = [
  bindAfter(
    createDestinationOperation,
    (ctx, { body }) => checkDestinationUrl(ctx, body.type, body.url),
    async (ctx, { body, partnerId, apiKeyId, by, scopes }) => {
      const { destination, secret } = await createDestination(ctx, {
        ...body,
        description: body.description ?? "",
        partnerId,
        apiKeyId,
        by,
        scopes,
      });
      const headers = { Location: `/api/v1/event-destinations/${destination.id}` };
      return { body: renderDestination(destination, secret), headers };
    },
  ),
  bind(listDestinationsOperation, async (ctx, { partnerId }) => ({
    body: { data: (await readDestinations(ctx, partnerId)).map((each) => renderDestination(each)) },
  })),
  bind(getDestinationOperation, async (ctx, { params, partnerId }) => ({
    body: renderDestination(await readDestination(ctx, { id: params.destination_id, partnerId })),
  })),
  bind(changeDestinationOperation, async (ctx, { params, body, partnerId, by }) => ({
    body: renderDestination(await changeDestination(ctx, { id: params.destination_id, partnerId, by, wishes: toInside(body) })),
  })),
  bind(deleteDestinationOperation, async (ctx, { params, partnerId, by }) => {
    await removeDestination(ctx, { id: params.destination_id, partnerId, by });
    return { body: undefined };
  }),
  bind(testDestinationOperation, async (ctx, { params, partnerId, by }) => ({
    body: renderDestination(await testDestination(ctx, { id: params.destination_id, partnerId, by })),
  })),
  bind(replayDestinationOperation, async (ctx, { params, body, partnerId, by }) => ({
    body: renderDestination(await replayDestination(ctx, { id: params.destination_id, partnerId, by, from: body.from })),
  })),
];
