import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Time } from "#app/console/_components/controls/values.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { troubleForEverybody, troubleWords } from "./trouble-words.ts";
import { type TroubleShown, useTroubles } from "./use-troubles.ts";
import { HEALTH_LINE } from "./words.ts";

/** In addition to the open page, which may contain input. */
function RunbookLink({ name }: { name: string }) {
  const t = useTranslations(HEALTH_LINE);
  return (
    <a href={`/console/runbooks/${name}`} target="_blank" rel="noreferrer" translate="no" title={t.newTab}>
      {name}
    </a>
  );
}

/** What only this browser knows: nobody else works on it. */
const ONLY_HERE: readonly TroubleShown["part"][] = ["service", "offline"];

/** To the one page of that trouble. */
function TroubleLink({ name, children }: { name: string; children: string }) {
  return (
    <Link href={`/console/incidents/of?trouble=${encodeURIComponent(name)}`}>
      <strong>{children}</strong>
    </Link>
  );
}

/** What the operator's people write to partners about a disruption. */
function PublishedNote({ detail, since }: TroubleShown) {
  const t = useTranslations(HEALTH_LINE);
  return (
    <Trans
      sentence={t.note}
      note={<Data>{detail}</Data>}
      time={<Time at={since} form="absolute" />}
      link={
        <a href="/status" target="_blank" rel="noreferrer" title={t.newTab}>
          {t.status}
        </a>
      }
    />
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
              const message = isOperator ? troubleWords(trouble, t) : troubleForEverybody(trouble, t);
              return (
                <Fragment key={trouble.name}>
                  {index > 0 && " · "}
                  {trouble.part === "note" ? (
                    <PublishedNote {...trouble} />
                  ) : (
                    <Trans
                      sentence={t.since}
                      trouble={
                        isOperator && !ONLY_HERE.includes(trouble.part) ? (
                          <TroubleLink name={trouble.name}>{message}</TroubleLink>
                        ) : (
                          <strong>{message}</strong>
                        )
                      }
                      time={<Time at={trouble.since} form="absolute" />}
                    />
                  )}
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
