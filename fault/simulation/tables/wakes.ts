/** `pg_notify('due_work', …)`: delivered once the transaction has committed. */
let notify: (payload: string) => void = () => {};

export function wake(payload: string): void {
  notify(payload);
}
export function onWake(listener: (payload: string) => void): void {
  notify = listener;
}
