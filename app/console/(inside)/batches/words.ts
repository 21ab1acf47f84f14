/** Texts of the list of batches. */

export const PAGE = { title: "Batches" };

export const BATCH_LIST = {
  title: "Batches",
  searchedBy: "Name",
  one: "batch",
  many: "batches",
  none: "No batches yet",
  whatComesHere: "A batch is up to 500 payments that are made, confirmed and decided together, by API or from a CSV file.",
  upload: "Upload payments",
};

export const COLUMNS = {
  batch: "Batch",
  payments: "Payments",
  paidOf: (executed: number, count: number) => `${executed.toLocaleString("en")} of ${count.toLocaleString("en")} paid`,
  total: "Total",
};

export const BATCH_STATES = {
  quoted: "Quoted",
  pending: "Awaits approval",
  rejected: "Rejected",
  processing: "Processing",
  completed: "Completed",
  cancelled: "Cancelled",
};
