import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Time } from "#app/console/_components/controls/values.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { type TroubleShown, useTroubles } from "./use-troubles.ts";
import { HEALTH_LINE } from "./words.ts";

type Translations = typeof HEALTH_LINE;

/** The details, for operators. */
function forOperators({ part, detail }: TroubleShown, t: Translations): string {
  const { operators } = t;
  switch (part) {
    case "database":
      return operators.database;
    case "database_slow":
      return operators.databaseSlow;
    case "worker":
      return operators.worker;
    case "work":
      return operators.work(detail);
    case "payments":
      return operators.payments(detail);
    case "chain":
      return operators.chain(detail);
    case "rates":
      return operators.rates(detail);
    case "halt":
      return operators.halt(detail.replace(/\.$/, ""));
    case "screening":
      return operators.screening(detail);
    case "replica":
      return operators.replica(detail);
    default:
      return forEverybody({ part, detail }, t);
  }
}

function forEverybody({ part, detail }: Pick<TroubleShown, "part" | "detail">, { everybody }: Translations): string {
  switch (part) {
    case "offline":
      return everybody.offline;
    case "service":
      return everybody.service;
    case "rates":
      return everybody.rates(detail);
    case "database":
    case "database_slow":
      return everybody.database;
    default:
      return everybody.delayed;
  }
}

/** In addition to the open page, which may contain input. */
function RunbookLink({ name }: { name: string }) {
  const t = useTranslations(HEALTH_LINE);
  return (
    <a href={`/console/runbooks/${name}`} target="_blank" rel="noreferrer" translate="no" title={t.newTab}>
      {name}
    </a>
  );
}

/**
 * One line on every page (`first`: as the server rendered it) while the service or the connection has a problem: what, since when, and what
 * to do.
 */
export function HealthLine({ isOperator, first }: { isOperator: boolean; first: readonly TroubleShown[] }) {
  const t = useTranslations(HEALTH_LINE);
  const troubles = useTroubles(first);
  return (
    <div className="health" role="status">
      {troubles.length > 0 && (
        <p className="health-line">
          <TriangleAlert aria-hidden size={16} />
          <span>
            {troubles.map((trouble, index) => {
              const message = isOperator ? forOperators(trouble, t) : forEverybody(trouble, t);
              return (
                <Fragment key={trouble.name}>
                  {index > 0 && " · "}
                  <Trans sentence={t.since} trouble={<strong>{message}</strong>} time={<Time at={trouble.since} form="absolute" />} />
                  {isOperator && trouble.runbook && <Trans sentence={t.runbook} name={<RunbookLink name={trouble.runbook} />} />}
                </Fragment>
              );
            })}
          </span>
        </p>
      )}
    </div>
  );
}
