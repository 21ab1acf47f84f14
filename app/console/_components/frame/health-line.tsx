import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Time } from "#app/console/_components/controls/values.tsx";
import { type TroubleShown, useTroubles } from "./use-troubles.ts";

type Words = { says: string; runbook?: string };

/** For the operator's people: what it is, and which runbook to open. */
function forOperators({ part, detail }: TroubleShown): Words {
  switch (part) {
    case "database":
      return { says: "The database does not answer", runbook: "database-away" };
    case "database_slow":
      return { says: "The database is slow", runbook: "database-away" };
    case "worker":
      return { says: "No worker is running: nothing is paid or called back", runbook: "worker-down" };
    case "work":
      return { says: `Due work is not taken up: ${detail}`, runbook: "worker-down" };
    case "payments":
      return { says: `Payments wait: ${detail.replace(/^transfers wait: /, "")}`, runbook: "treasury-empty" };
    case "chain":
      return { says: `A chain stands still: ${detail}`, runbook: "rpc-dead" };
    case "rates":
      return { says: `Quoting is halted, rates are ${detail}`, runbook: "rates-stale" };
    case "halt":
      return { says: `A lane is halted: ${detail}`, runbook: "halted-lane" };
    case "screening":
      return { says: `Recipients cannot all be screened: ${detail}`, runbook: "screening" };
    case "replica":
      return { says: `The replica ${detail}: lists are read from the database itself`, runbook: "replica" };
    default:
      return forEverybody(part);
  }
}

function forEverybody(part: TroubleShown["part"]): Words {
  switch (part) {
    case "offline":
      return { says: "This browser is offline: nothing is sent, and nothing here is new" };
    case "service":
      return { says: "The service does not answer: what stands here may be old" };
    case "rates":
      return { says: "Some pairs cannot be quoted just now" };
    case "database":
    case "database_slow":
      return { says: "The service has trouble answering: what stands here may be old" };
    default:
      return { says: "Payments and callbacks are delayed. What is confirmed is kept, and is paid as soon as it can be" };
  }
}

/** One line on every page while the service, or the way to it, is not as it should be: what, since when, and what to do. */
export function HealthLine({ isOperator }: { isOperator: boolean }) {
  const troubles = useTroubles();
  return (
    <div className="health" role="status">
      {troubles.length > 0 && (
        <p className="health-line">
          <TriangleAlert aria-hidden size={16} />
          <span>
            {troubles.map((trouble, index) => {
              const { says, runbook } = isOperator ? forOperators(trouble) : forEverybody(trouble.part);
              return (
                <Fragment key={trouble.name}>
                  {index > 0 && " · "}
                  <strong>{says}</strong>, since <Time at={trouble.since} form="absolute" />
                  {runbook && (
                    <>
                      , runbook <code>{runbook}</code>
                    </>
                  )}
                </Fragment>
              );
            })}
          </span>
        </p>
      )}
    </div>
  );
}
