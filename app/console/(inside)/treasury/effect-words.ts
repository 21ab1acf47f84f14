/** What a change would have stopped. */
export const PAST_EFFECT = {
  none: "In the last 30 days this would have stopped no payment.",
  some: (payments: number, partners: number) =>
    `In the last 30 days this would have stopped ${payments === 1 ? "1 payment" : `${payments.toLocaleString("en")} payments`} of ${partners === 1 ? "1 partner" : `${partners} partners`}: {sums}.`,
  sample: (examined: number) => `Only the newest ${examined.toLocaleString("en")} payments were examined.`,
  working: "Trying it on the last 30 days…",
};
