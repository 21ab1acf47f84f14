/** Texts of the button that opens it. */

export const OPENER = { open: "Workbench" };
