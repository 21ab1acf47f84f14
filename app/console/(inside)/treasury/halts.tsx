import Link from "next/link";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import type { Halt } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";

type Props = { halts: readonly Halt[]; onOrder: ((order: Order) => void) | null };

/** What stands until people have looked, and why. Nothing is shown where nothing stands. */
export function Halts({ halts, onOrder }: Props) {
  if (halts.length === 0) return null;
  return (
    <section className="note reviews" data-kind="danger" aria-label="Halted">
      <h2>{halts.length === 1 ? "1 lane is halted" : `${halts.length} lanes are halted`}</h2>
      <ul>
        {halts.map((halt) => (
          <li key={halt.id} className="card-line">
            <span>
              <strong>{laneName(halt)}</strong> since <Time at={halt.since} />: {halt.detail}{" "}
              {halt.proposal && (
                <span className="muted">
                  {halt.proposal.by} has proposed that it goes on: <Link href="/console/proposals">a second person confirms it</Link>.
                </span>
              )}
            </span>
            {onOrder && halt.proposal === null && <Button onClick={() => onOrder({ what: "lift", halt })}>Let it go on</Button>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What stands, as a sentence begins with it. */
export function laneName({ lane_kind, name }: Pick<Halt, "lane_kind" | "name">): string {
  return lane_kind === "all" ? "Everything" : `The ${lane_kind} ${name}`;
}
