/** `pg_notify('due_work', …)`: told once the transaction has committed. */
let told: (payload: string) => void = () => {};

export function wake(payload: string): void {
  told(payload);
}
export function onWake(listener: (payload: string) => void): void {
  told = listener;
}
