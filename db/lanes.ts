/** So many groups of one lane are under way at once; what comes meanwhile is the next one's. */
const AT_ONCE = 2;
/** A group that takes longer than this keeps nobody waiting any more. */
const PATIENCE_MS = 250;
/** So many are one group at most. */
const MOST = 64;

type Lane<Member> = { waiting: Member[]; underWay: number; called: boolean };

/**
 * Groups of what comes at the same time, in lanes that do not wait for each other. What comes while its lane is free goes on at once, with
 * what comes in the same turn; what comes while the lane is busy goes together as soon as a group has ended: the more there is to do, the
 * larger the groups. `work` never fails: it answers each member.
 */
export function openLanes<Member>(work: (members: Member[]) => Promise<void>): (lane: string, member: Member) => void {
  const lanes = new Map<string, Lane<Member>>();
  const call = (name: string, lane: Lane<Member>) => {
    if (lane.called || lane.waiting.length === 0 || lane.underWay >= AT_ONCE) return;
    lane.called = true;
    setImmediate(() => go(name, lane));
  };
  const go = (name: string, lane: Lane<Member>) => {
    lane.called = false;
    lane.underWay += 1;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(patience);
      lane.underWay -= 1;
      if (lane.underWay === 0 && lane.waiting.length === 0) lanes.delete(name);
      call(name, lane);
    };
    const patience = setTimeout(over, PATIENCE_MS);
    void work(lane.waiting.splice(0, MOST)).finally(over);
    call(name, lane);
  };
  return (name, member) => {
    const lane = lanes.get(name) ?? { waiting: [], underWay: 0, called: false };
    lanes.set(name, lane);
    lane.waiting.push(member);
    call(name, lane);
  };
}
