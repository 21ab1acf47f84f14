/** Texts of the global search. */

export const PALETTE = {
  title: "Search and commands",
  label: "Search settlements, pages and commands",
  placeholder: "A command, a page, a name, or a settlement by id, hash, wallet or reference",
  noMatch: "Nothing fits.",
  recent: "Recent",
  ofPage: "On this page",
  objects: "Names",
  goTo: "Go to",
  actions: "Do",
  search: "Search",
  searchList: (text: string) => `Search the list for “${text}”`,
};

export const PALETTE_ACTIONS = {
  useLightTheme: "Use the light theme",
  useDarkTheme: "Use the dark theme",
  useSystemsTheme: "Use the system's theme",
  showCompactRows: "Show compact rows",
  showRegularRows: "Show regular rows",
  showRoomyRows: "Show roomy rows",
  showLocalTimes: "Show times in my zone",
  showUtcTimes: "Show times in UTC",
  showKeyboardShortcuts: "Show keyboard shortcuts",
};

export const PALETTE_OBJECTS = {
  member: "Member",
  batch: "Batch",
  wallet: "Treasury wallet",
  receiver: "Receiver",
};
