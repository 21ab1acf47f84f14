/** How many groups of one queue run at once; later members form the next group. */
const AT_ONCE = 2;
/** After this time a group no longer makes others wait. */
const PATIENCE_MS = 250;
/** The largest group. */
const MOST = 64;

type Queue<Member> = { waiting: Member[]; underWay: number; called: boolean };

/**
 * Groups concurrent items, in queues that do not wait for each other. While a queue is free, an item runs at once, together with those of the
 * same turn; while it is busy, items are grouped until a group has ended. So groups grow with the load. `work` never fails: it resolves
 * each member.
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
