import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import type { OverviewLook } from "#domain/overview-range.ts";
import { Glance } from "../../_components/controls/glance.tsx";
import { Tooltip } from "../../_components/controls/tooltip.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { TAKEN_HELP } from "../callbacks/words.ts";
import type { Figures } from "./use-overview.ts";
import { changeOf, count, duration, lookWords, percent } from "./words.ts";

type Of = Figures["current"];
type Tile = { name: string; help: string; value: ReactNode; before: string };

type KeyFiguresProps = { figures: Figures; look: OverviewLook; isOperator: boolean; isCompared: boolean };

/** The figures of the range against the period before. Amounts of different currencies stay apart. */
export function KeyFigures({ figures, look, isOperator, isCompared }: KeyFiguresProps) {
  const { current, before } = figures;
  const hidden = usePreferences().preferences.amounts === "hidden";
  const tiles = [volumeTile(current, before), executedTile(current, before), successTile(current, before), executionTile(current, before)];
  tiles.push(...(isOperator ? [decisionTile(current, before)] : [lapsedTile(current, before, hidden), callbackTile(current, before)]));
  const words = lookWords(look);
  return (
    <dl className="figures" aria-label={`Key figures: ${words.chosen}${isCompared ? ` against ${words.before}` : ""}`}>
      {tiles.map(({ name, help, value, before: earlier }) => (
        <div key={name} className="figure-tile">
          <dt>
            {name}
            <Tooltip text={help}>
              <button type="button" className="figure-help" aria-label={`${name}: ${help}`}>
                <CircleHelp aria-hidden size={14} />
              </button>
            </Tooltip>
          </dt>
          <dd>
            <div className="figure-value">{value}</div>
            {isCompared && <div className="figure-before">{earlier}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const NOTHING = <span className="none">–</span>;

function volumeTile({ volume }: Of, { volume: earlier }: Of): Tile {
  const changes = volume.flatMap(({ currency, amount }) => {
    const before = earlier.find((each) => each.currency === currency);
    const change = before ? changeOf(Number(amount), Number(before.amount)) : null;
    return change === null ? [] : [`${currency} ${change}`];
  });
  return {
    name: "Volume",
    help: "What was delivered to wallets in this range, by token. Currencies are never added up.",
    value:
      volume.length === 0 ? NOTHING : volume.map(({ currency, amount }) => <Glance key={currency} amount={amount} currency={currency} />),
    before: changes.length > 0 ? changes.join(", ") : "none before",
  };
}

function executedTile({ executed }: Of, { executed: earlier }: Of): Tile {
  const change = changeOf(executed, earlier);
  return {
    name: "Executed",
    help: "Settlements executed in this range, whenever they were created.",
    value: count(executed),
    before: change === null ? "none before" : `${change}, was ${count(earlier)}`,
  };
}

function successTile(current: Of, before: Of): Tile {
  return shareTile(
    "Success",
    "Executed ÷ (executed + failed), of the settlements created in this range. Cancelled, rejected and lapsed ones count neither way.",
    {
      now: current.success_share,
      before: before.success_share,
    },
  );
}

function callbackTile(current: Of, before: Of): Tile {
  return shareTile("Callbacks delivered", TAKEN_HELP, {
    now: current.callback_share,
    before: before.callback_share,
  });
}

function shareTile(name: string, help: string, { now, before }: { now: number | null; before: number | null }): Tile {
  return { name, help, value: now === null ? NOTHING : percent(now), before: before === null ? "none before" : `was ${percent(before)}` };
}

function executionTile(current: Of, before: Of): Tile {
  const help = "Median from quote to execution, of the settlements executed in this range.";
  return timeTile("Quote to executed", help, current.execution_seconds, before.execution_seconds);
}

function decisionTile(current: Of, before: Of): Tile {
  const help = "Median from creation to decision, of the approvals and rejections made in this range.";
  return timeTile("Approval age", help, current.decision_seconds, before.decision_seconds);
}

function timeTile(name: string, help: string, now: number | null, before: number | null): Tile {
  return { name, help, value: now === null ? NOTHING : duration(now), before: before === null ? "none before" : `was ${duration(before)}` };
}

function lapsedTile({ lapsed, lapsed_amounts }: Of, { lapsed: earlier }: Of, hidden: boolean): Tile {
  const left = hidden ? "" : lapsed_amounts.map(({ currency, amount }) => `${amount} ${currency}`).join(", ");
  return {
    name: "Lapsed quotes",
    help: `Quotes created in this range that were not confirmed in time.${left === "" ? "" : ` They would have delivered ${left}.`}`,
    value: count(lapsed),
    before: `was ${count(earlier)}`,
  };
}
