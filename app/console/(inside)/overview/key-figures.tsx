import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import type { OverviewLook } from "#domain/overview-range.ts";
import { Glance } from "../../_components/controls/glance.tsx";
import { Tooltip } from "../../_components/controls/tooltip.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { CALLBACK_WORDS } from "../callbacks/state-words.ts";
import { changeOf, lookWords } from "./figures.ts";
import type { Figures } from "./use-overview.ts";
import { FIGURES, RANGES } from "./words.ts";

type Of = Figures["current"];
type Tile = { name: string; help: string; value: ReactNode; before: string; of?: string | undefined };

type KeyFiguresProps = { figures: Figures; look: OverviewLook; isOperator: boolean; isCompared: boolean };

/** The figures of the range against the period before, each currency separately. */
export function KeyFigures({ figures, look, isOperator, isCompared }: KeyFiguresProps) {
  const t = useTranslations(FIGURES);
  const words = lookWords(look, useTranslations(RANGES));
  const { acceptedHelp: takenHelp } = useTranslations(CALLBACK_WORDS);
  const hidden = usePreferences().preferences.amounts === "hidden";
  const pair: Pair = { now: figures.current, earlier: figures.before, t };
  const tiles = [volumeTile(pair), executedTile(pair), shareTile(pair, "success_share", t.success)];
  tiles.push(timeTile(pair, "execution_seconds", t.execution));
  if (isOperator) tiles.push(timeTile(pair, "decision_seconds", t.decision));
  else tiles.push(lapsedTile(pair, hidden), shareTile(pair, "callback_share", { ...t.callbacks, help: takenHelp }));
  const isComparable = hasBefore(figures);
  return (
    <>
      <dl className="figures" aria-label={t.label(words.chosen, isCompared ? words.before : null)}>
        {tiles.map(({ name, help, value, before: earlier, of }) => (
          <div key={name} className="figure-tile">
            <dt>
              {name}
              <Tooltip text={help}>
                <button type="button" className="figure-help" aria-label={t.helpOf(name, help)}>
                  <CircleHelp aria-hidden size={14} />
                </button>
              </Tooltip>
            </dt>
            <dd>
              <div className="figure-value">{value}</div>
              {isCompared && isComparable && <div className="figure-before">{earlier}</div>}
              {of && <small className="figure-of muted">{of}</small>}
            </dd>
          </div>
        ))}
      </dl>
      {isCompared && !isComparable && <p className="figures-alone muted">{t.nothingBefore(words.before)}</p>}
    </>
  );
}

/** Whether the period before has anything to compare with. */
export function hasBefore({ before }: Figures): boolean {
  return before.created > 0 || before.executed > 0;
}

const NOTHING = <span className="none">–</span>;
type Pair = { now: Of; earlier: Of; t: WithShared<typeof FIGURES> };
type Named = { name: string; help: string; of?: string };

function volumeTile({ now: { volume }, earlier, t }: Pair): Tile {
  const changes = volume.flatMap(({ currency, amount }) => {
    const before = earlier.volume.find((each) => each.currency === currency);
    const change = before ? changeOf(Number(amount), Number(before.amount), t) : null;
    return change === null ? [] : [`${currency} ${change}`];
  });
  return {
    name: t.volume.name,
    help: t.volume.help,
    value:
      volume.length === 0 ? NOTHING : volume.map(({ currency, amount }) => <Glance key={currency} amount={amount} currency={currency} />),
    before: changes.length > 0 ? t.volume.changes(changes.join(", ")) : t.noneBefore,
  };
}

function executedTile({ now, earlier, t }: Pair): Tile {
  const change = changeOf(now.executed, earlier.executed, t);
  const before = change === null ? t.noneBefore : t.changed(change, t.format.count(earlier.executed));
  return { ...t.executed, value: t.format.count(now.executed), before };
}

function shareTile({ now, earlier, t }: Pair, of: "success_share" | "callback_share", named: Named): Tile {
  return {
    ...named,
    value: shown(now[of], t.format.percent),
    before: earlier[of] === null ? t.noneBefore : t.wasValue(t.format.percent(earlier[of])),
  };
}

function timeTile({ now, earlier, t }: Pair, of: "execution_seconds" | "decision_seconds", named: Named): Tile {
  return {
    ...named,
    value: shown(now[of], t.format.duration),
    before: earlier[of] === null ? t.noneBefore : t.wasValue(t.format.duration(earlier[of])),
  };
}

function shown(value: number | null, write: (value: number) => string): ReactNode {
  return value === null ? NOTHING : write(value);
}

function lapsedTile({ now, earlier, t }: Pair, hidden: boolean): Tile {
  const left = hidden ? "" : now.lapsed_amounts.map(({ currency, amount }) => `${amount} ${currency}`).join(", ");
  return {
    name: t.lapsed.name,
    help: t.lapsed.help(left),
    value: t.format.count(now.lapsed),
    before: t.wasValue(t.format.count(earlier.lapsed)),
  };
}
