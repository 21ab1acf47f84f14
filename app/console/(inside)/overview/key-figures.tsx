import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import type { OverviewLook } from "#domain/overview-range.ts";
import { Glance } from "../../_components/controls/glance.tsx";
import { Tooltip } from "../../_components/controls/tooltip.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { useWords } from "../../_words/words.ts";
import { CALLBACK_WORDS } from "../callbacks/state-words.ts";
import { changeOf, count, duration, lookWords, percent } from "./figures.ts";
import type { Figures } from "./use-overview.ts";
import { FIGURES, RANGES } from "./words.ts";

type Of = Figures["current"];
type Tile = { name: string; help: string; value: ReactNode; before: string };

type KeyFiguresProps = { figures: Figures; look: OverviewLook; isOperator: boolean; isCompared: boolean };

/** The figures of the range against the period before. Amounts of different currencies stay apart. */
export function KeyFigures({ figures, look, isOperator, isCompared }: KeyFiguresProps) {
  const says = useWords(FIGURES);
  const words = lookWords(look, useWords(RANGES));
  const { takenHelp } = useWords(CALLBACK_WORDS);
  const hidden = usePreferences().preferences.amounts === "hidden";
  const pair: Pair = { now: figures.current, earlier: figures.before, says };
  const tiles = [volumeTile(pair), executedTile(pair), shareTile(pair, "success_share", says.success)];
  tiles.push(timeTile(pair, "execution_seconds", says.execution));
  if (isOperator) tiles.push(timeTile(pair, "decision_seconds", says.decision));
  else tiles.push(lapsedTile(pair, hidden), shareTile(pair, "callback_share", { ...says.callbacks, help: takenHelp }));
  return (
    <dl className="figures" aria-label={says.label(words.chosen, isCompared ? words.before : null)}>
      {tiles.map(({ name, help, value, before: earlier }) => (
        <div key={name} className="figure-tile">
          <dt>
            {name}
            <Tooltip text={help}>
              <button type="button" className="figure-help" aria-label={says.helpOf(name, help)}>
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
type Pair = { now: Of; earlier: Of; says: typeof FIGURES };
type Named = { name: string; help: string };

function volumeTile({ now: { volume }, earlier, says }: Pair): Tile {
  const changes = volume.flatMap(({ currency, amount }) => {
    const before = earlier.volume.find((each) => each.currency === currency);
    const change = before ? changeOf(Number(amount), Number(before.amount), says.asBefore) : null;
    return change === null ? [] : [`${currency} ${change}`];
  });
  return {
    ...{ name: says.volume.name, help: says.volume.help },
    value:
      volume.length === 0 ? NOTHING : volume.map(({ currency, amount }) => <Glance key={currency} amount={amount} currency={currency} />),
    before: changes.length > 0 ? says.volume.changes(changes.join(", ")) : says.noneBefore,
  };
}

function executedTile({ now, earlier, says }: Pair): Tile {
  const change = changeOf(now.executed, earlier.executed, says.asBefore);
  const before = change === null ? says.noneBefore : says.changed(change, count(earlier.executed));
  return { ...says.executed, value: count(now.executed), before };
}

function shareTile({ now, earlier, says }: Pair, of: "success_share" | "callback_share", named: Named): Tile {
  return { ...named, value: shown(now[of], percent), before: earlier[of] === null ? says.noneBefore : says.was(percent(earlier[of])) };
}

function timeTile({ now, earlier, says }: Pair, of: "execution_seconds" | "decision_seconds", named: Named): Tile {
  return { ...named, value: shown(now[of], duration), before: earlier[of] === null ? says.noneBefore : says.was(duration(earlier[of])) };
}

function shown(value: number | null, write: (value: number) => string): ReactNode {
  return value === null ? NOTHING : write(value);
}

function lapsedTile({ now, earlier, says }: Pair, hidden: boolean): Tile {
  const left = hidden ? "" : now.lapsed_amounts.map(({ currency, amount }) => `${amount} ${currency}`).join(", ");
  return { name: says.lapsed.name, help: says.lapsed.help(left), value: count(now.lapsed), before: says.was(count(earlier.lapsed)) };
}
