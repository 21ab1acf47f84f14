import { z } from "zod";
import { instantOrNull, instantParameter } from "#contract/primitives.ts";
import { createDestinationBody, renderDestination } from "#contract/settlement/v1/event-destinations.ts";
import { fromWire } from "#contract/wire.ts";
import { mayAsPartner } from "#domain/access.ts";
import { MOST_DESTINATIONS } from "#domain/event-destination.ts";
import { actorOf } from "#server/console/trpc/context.ts";
import { partnerProcedure, router } from "#server/console/trpc/init.ts";
import { chooseSigningKey } from "#server/services/callbacks/callback-target.ts";
import {
  changeDestination,
  checkDestinationUrl,
  createDestination,
  readBacklogs,
  readDestinations,
  removeDestination,
  replayDestination,
  testDestination,
} from "#server/services/event-destinations/destinations.ts";
import { done } from "./done.ts";

const one = fromWire({ id: z.string().max(64) });

/** A destination sees what its creator may see: a person, the whole partner. */
const SEES = ["settlements:read", "partner:read"] as const;

/** Those who may make keys decide where events go. */
const keep = partnerProcedure("manage_keys").use(({ ctx, next }) => next({ ctx: { ...ctx, partnerId: ctx.holder.partnerId ?? "" } }));

/** Where a partner has its events sent. Its people see that, and its owners change it. The secret is answered the one time. */
export const eventDestinationsRouter = router({
  list: partnerProcedure("read").query(async ({ ctx: { services, holder } }) => {
    const destinations = await readDestinations(services, holder.partnerId ?? "");
    const backlogs = await readBacklogs(services, destinations);
    const mayChange = holder.viewedBy === null && mayAsPartner(actorOf(holder), "manage_keys");
    return {
      data: destinations.map((destination) => {
        const { waiting, since } = backlogs.get(destination.id) ?? { waiting: 0, since: null };
        return { ...renderDestination(destination), waiting, waiting_since: instantOrNull(since) };
      }),
      may_change: mayChange,
      has_room: destinations.length < MOST_DESTINATIONS,
    };
  }),

  create: keep.input(createDestinationBody).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    await checkDestinationUrl(services, input.type, input.url);
    const apiKeyId = await chooseSigningKey(services, partnerId);
    const asked = { ...input, description: input.description ?? "", partnerId, apiKeyId, by, scopes: SEES };
    const { destination, secret } = await createDestination(services, asked);
    return { id: destination.id, secret };
  }),

  pause: keep
    .meta({ stepUp: false })
    .input(one)
    .mutation(({ ctx: { services, by, partnerId }, input }) =>
      done(changeDestination(services, { ...input, partnerId, by, wishes: { status: "paused" } })),
    ),

  /** Not without a proof: a destination may be paused because its key was stolen. */
  resume: keep
    .input(one)
    .mutation(({ ctx: { services, by, partnerId }, input }) =>
      done(changeDestination(services, { ...input, partnerId, by, wishes: { status: "active" } })),
    ),

  test: keep
    .meta({ stepUp: false })
    .input(one)
    .mutation(({ ctx: { services, by, partnerId }, input }) => done(testDestination(services, { ...input, partnerId, by }))),

  replay: keep
    .input(fromWire({ id: z.string().max(64), from: instantParameter }))
    .mutation(({ ctx: { services, by, partnerId }, input }) => done(replayDestination(services, { ...input, partnerId, by }))),

  remove: keep
    .input(one)
    .mutation(({ ctx: { services, by, partnerId }, input }) => done(removeDestination(services, { ...input, partnerId, by }))),
});
