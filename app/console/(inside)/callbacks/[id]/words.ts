/** Texts of these parts. */

export const PAGE = { title: (id: string) => `Callback ${id}` };

export const CALLBACK_PAGE = {
  callback: (event: string) => `${event} callback`,
  givenUp: "Given up",
};
