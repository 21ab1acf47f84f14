import { translated } from "../../_words/translation.ts";
import { PALETTE, PALETTE_ACTIONS, PALETTE_OBJECTS } from "./palette-words.ts";

/** French. */
export const FRAME_PALETTE_WORDS_FR = translated(
  { PALETTE, PALETTE_ACTIONS, PALETTE_OBJECTS },
  {
    PALETTE: {
      title: "Recherche et commandes",
      label: "Rechercher règlements, pages et commandes",
      placeholder: "Une commande, une page, un nom, ou un règlement par identifiant, hash, portefeuille ou référence",
      noMatch: "Aucun résultat.",
      recent: "Récents",
      ofPage: "Sur cette page",
      objects: "Noms",
      goTo: "Aller à",
      actions: "Actions",
      search: "Rechercher",
      searchList: (text) => `Rechercher « ${text} » dans la liste`,
    },
    PALETTE_ACTIONS: {
      useLightTheme: "Utiliser le thème clair",
      useDarkTheme: "Utiliser le thème sombre",
      useSystemsTheme: "Utiliser le thème du système",
      showCompactRows: "Afficher des lignes compactes",
      showRegularRows: "Afficher des lignes normales",
      showRoomyRows: "Afficher des lignes espacées",
      showLocalTimes: "Afficher les heures dans mon fuseau",
      showUtcTimes: "Afficher les heures en UTC",
      showKeyboardShortcuts: "Afficher les raccourcis clavier",
    },
    PALETTE_OBJECTS: {
      member: "Membre",
      batch: "Lot",
      wallet: "Portefeuille de trésorerie",
      receiver: "Récepteur",
    },
  },
);
