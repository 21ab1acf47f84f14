/** Texts of these parts. */

export const PAGE = { title: (id: string) => `Callback ${id}` };

export const CALLBACK_PAGE = {
  callbacks: "Callbacks",
  callback: (event: string) => `${event} callback`,
  callbackNoun: "callback",
  receiver: "Receiver",
  about: "About",
  id: "id",
  event: "Event",
  partner: "Partner",
  created: "Created",
  delivered: "Delivered",
  givenUp: "Given up",
};
