/** How rates went, for eyes: measured against the first of their time. */

type Priced = readonly { at: string; mid_rate: string }[];

/** The least that fills a plot's height: rates that hardly move look as still as they are. */
const LEAST_MOVE = 0.001;

const moved = (priced: Priced) => priced.map(({ mid_rate: rate }) => Number(rate) / Number(priced[0]?.mid_rate) - 1);

/** The largest move among all of them, up or down: the one scale on which they are compared. */
export function largestMove(all: readonly Priced[]): number {
  return Math.max(LEAST_MOVE, ...all.flatMap(moved).map(Math.abs));
}

/** From the first to the last rate: `+0.21 %`, `−9.56 %`, `0.00 %`. */
export function changeText(priced: Priced): string {
  const percent = ((moved(priced).at(-1) ?? 0) * 100).toFixed(2);
  return `${percent.startsWith("-") ? "−" : percent === "0.00" ? "" : "+"}${percent.replace("-", "")} %`.replace("−0.00", "0.00");
}

/** Points of a polyline in a room of that size; a move of `scale` reaches its upper or lower edge. */
export function courseOf(priced: Priced, scale: number, { width, height }: { width: number; height: number }): string {
  const first = new Date(priced[0]?.at ?? 0).getTime();
  const lasted = Math.max(1, new Date(priced.at(-1)?.at ?? 0).getTime() - first);
  const middle = height / 2;
  const places = moved(priced).map((move, index) => {
    const x = ((new Date(priced[index]?.at ?? 0).getTime() - first) / lasted) * width;
    return `${x.toFixed(1)},${(middle - (move / scale) * (middle - 2)).toFixed(1)}`;
  });
  return priced.length === 1 ? `${places[0]} ${width},${middle}` : places.join(" ");
}
