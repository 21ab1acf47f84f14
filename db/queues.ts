/** So many groups of one lane are under way at once; what comes meanwhile is the next one's. */
const AT_ONCE = 2;
/** A group that takes longer than this keeps nobody waiting any more. */
const PATIENCE_MS = 250;
/** So many are one group at most. */
const MOST = 64;

type Queue<Member> = { waiting: Member[]; underWay: number; called: boolean };

/**
 * Groups of what comes at the same time, in lanes that do not wait for each other. What comes while its lane is free goes on at once, with
 * what comes in the same turn; what comes while the lane is busy goes together as soon as a group has ended: the more there is to do, the
 * larger the groups. `work` never fails: it answers each member.
 */
export function openQueues<Member>(work: (members: Member[]) => Promise<void>): (queue: string, member: Member) => void {
  const queues = new Map<string, Queue<Member>>();
  const call = (name: string, queue: Queue<Member>) => {
    if (queue.called || queue.waiting.length === 0 || queue.underWay >= AT_ONCE) return;
    queue.called = true;
    setImmediate(() => go(name, queue));
  };
  const go = (name: string, queue: Queue<Member>) => {
    queue.called = false;
    queue.underWay += 1;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(patience);
      queue.underWay -= 1;
      if (queue.underWay === 0 && queue.waiting.length === 0) queues.delete(name);
      call(name, queue);
    };
    const patience = setTimeout(over, PATIENCE_MS);
    void work(queue.waiting.splice(0, MOST)).finally(over);
    call(name, queue);
  };
  return (name, member) => {
    const queue = queues.get(name) ?? { waiting: [], underWay: 0, called: false };
    queues.set(name, queue);
    queue.waiting.push(member);
    call(name, queue);
  };
}
