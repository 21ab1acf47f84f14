import { Button } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import type { Halt } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";
import { HALTS } from "./words.ts";

type Translations = typeof HALTS;

type Props = { halts: readonly Halt[]; onOrder: ((order: Order) => void) | null };

/** Halts that wait for people, and their causes. Hidden when there are none. */
export function Halts({ halts, onOrder }: Props) {
  const t = useTranslations(HALTS);
  if (halts.length === 0) return null;
  return (
    <section className="note reviews" data-kind="danger" aria-label={t.halted}>
      <h2>{t.title(halts.length)}</h2>
      <ul>
        {halts.map((halt) => (
          <li key={halt.id} className="card-line">
            <span>
              <Trans
                sentence={t.since}
                scope={<strong>{scopeName(halt, t)}</strong>}
                time={<Time at={halt.since} />}
                detail={<Served>{halt.detail}</Served>}
              />{" "}
              {halt.proposal && (
                <span className="muted">
                  <Trans sentence={t.proposed(halt.proposal.by)} link={<Link href="/console/proposals">{t.waitsForSecond}</Link>} />
                </span>
              )}
            </span>
            {onOrder && halt.proposal === null && <Button onClick={() => onOrder({ what: "lift", halt })}>{t.lift}</Button>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The halted scope, as the beginning of a sentence. */
export function scopeName({ lane_kind, name }: Pick<Halt, "lane_kind" | "name">, t: Translations): string {
  return lane_kind === "all" ? t.everything : t.scopes[lane_kind](name);
}
