/** Texts of the global search. */

export const PALETTE = {
  searchCommands: "Search and commands",
  searchSettlementsPages: "Search settlements, pages and commands",
  pageCommandOr: "A page, a command, or a settlement by id, hash, wallet or reference",
  nothingFits: "Nothing fits.",
  settlements: "Settlements",
  recent: "Recent",
  go: "Go to",
  doWord: "Do",
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
  hideAmounts: "Hide amounts",
  showAmounts: "Show amounts",
  showTimesMy: "Show times in my zone",
  showTimesUtc: "Show times in UTC",
  showKeyboardShortcuts: "Show keyboard shortcuts",
  signOut: "Sign out",
};
