import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Time } from "#app/console/_components/controls/values.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { type TroubleShown, useTroubles } from "./use-troubles.ts";
import { HEALTH_LINE } from "./words.ts";

type Words = { told: string; runbook?: string };
type Says = typeof HEALTH_LINE;

/** For the operator's people: what it is, and which runbook to open. */
function forOperators({ part, detail }: TroubleShown, says: Says): Words {
  const { operators } = says;
  switch (part) {
    case "database":
      return { told: operators.database, runbook: "database-away" };
    case "database_slow":
      return { told: operators.databaseSlow, runbook: "database-away" };
    case "worker":
      return { told: operators.worker, runbook: "worker-down" };
    case "work":
      return { told: operators.work(detail), runbook: "worker-down" };
    case "payments":
      return { told: operators.payments(detail.replace(/^transfers wait: /, "")), runbook: "treasury-empty" };
    case "chain":
      return { told: operators.chain(detail), runbook: "rpc-dead" };
    case "rates":
      return { told: operators.rates(detail), runbook: "rates-stale" };
    case "halt":
      return { told: operators.halt(detail.replace(/\.$/, "")), runbook: "halted-lane" };
    case "screening":
      return { told: operators.screening(detail), runbook: "screening" };
    case "replica":
      return { told: operators.replica(detail), runbook: "replica" };
    default:
      return forEverybody(part, says);
  }
}

function forEverybody(part: TroubleShown["part"], { everybody }: Says): Words {
  switch (part) {
    case "offline":
      return { told: everybody.offline };
    case "service":
      return { told: everybody.service };
    case "rates":
      return { told: everybody.rates };
    case "database":
    case "database_slow":
      return { told: everybody.database };
    default:
      return { told: everybody.delayed };
  }
}

/** One line on every page (`first`: as the server drew it) while the service, or the way to it, is not as it should be: what, since when, and what to do. */
export function HealthLine({ isOperator, first }: { isOperator: boolean; first: readonly TroubleShown[] }) {
  const says = useWords(HEALTH_LINE);
  const troubles = useTroubles(first);
  return (
    <div className="health" role="status">
      {troubles.length > 0 && (
        <p className="health-line">
          <TriangleAlert aria-hidden size={16} />
          <span>
            {troubles.map((trouble, index) => {
              const { told, runbook } = isOperator ? forOperators(trouble, says) : forEverybody(trouble.part, says);
              return (
                <Fragment key={trouble.name}>
                  {index > 0 && " · "}
                  <Told sentence={says.since} trouble={<strong>{told}</strong>} time={<Time at={trouble.since} form="absolute" />} />
                  {runbook && <Told sentence={says.runbook} name={<code>{runbook}</code>} />}
                </Fragment>
              );
            })}
          </span>
        </p>
      )}
    </div>
  );
}
