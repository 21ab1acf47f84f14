import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "#server/console/router.ts";
import { refusalOf } from "./refusal.ts";

/** After a step-up, the browser has the session's new secret within this time. */
const AGAIN_AFTER_MS = [150, 850];

/**
 * A step-up in any tab gives the session a new secret. A call that was sent just before it carries the old one and is refused with
 * `invalid_token`, so it is repeated: with the new one, if there is one. Nothing of a refused call has happened. A live stream connects again
 * by itself.
 */
export const renewedSessionLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type === "subscription") return next(op);
    return observable((observer) => {
      let [timer, over]: [ReturnType<typeof setTimeout> | undefined, () => void] = [undefined, () => {}];
      const send = (tries: number) => {
        const asked = next(op).subscribe({
          next: (result) => observer.next(result),
          error: (error) => {
            const wait = refusalOf(error)?.code === "invalid_token" ? AGAIN_AFTER_MS[tries] : undefined;
            if (wait === undefined) observer.error(error);
            else timer = setTimeout(() => send(tries + 1), wait);
          },
          complete: () => observer.complete(),
        });
        over = () => asked.unsubscribe();
      };
      send(0);
      return () => {
        clearTimeout(timer);
        over();
      };
    });
  };
