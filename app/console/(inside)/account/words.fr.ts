import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import {
  ENROLMENT,
  IDENTITIES,
  NOT_ME,
  PAGE,
  PASSKEYS,
  PREFERENCE_CHOICES,
  PROFILE,
  RECOVERY_CODES,
  SESSIONS,
  TWO_FACTORS,
} from "./words.ts";

/** French. */
export const ACCOUNT_WORDS_FR = translated(
  { PAGE, ENROLMENT, PASSKEYS, PREFERENCE_CHOICES, PROFILE, RECOVERY_CODES, NOT_ME, SESSIONS, TWO_FACTORS, IDENTITIES },
  {
    PAGE: {
      title: "Compte",
      operator: "Opérateur",
      providerRefused:
        "La réponse du fournisseur d’identité de votre entreprise a été refusée. Rien n’a changé. Réessayez, ou adressez-vous à la personne qui gère les accès.",
      providerAway: "Le fournisseur d’identité de votre entreprise ne répond pas. Réessayez dans un instant.",
    },
    ENROLMENT: {
      needsApp:
        "Il vous faut une application d’authentification : n’importe laquelle qui lit les codes QR, sur votre téléphone ou dans votre gestionnaire de mots de passe.",
      qrCode: "Code QR avec le secret pour votre application d’authentification",
      scan: "Scannez-le avec l’application, ou saisissez-y le secret :",
      copySecret: "Copier le secret",
      wrongCode: "L’application affiche maintenant un autre code.",
      code: "Le code affiché par l’application",
    },
    PASSKEYS: {
      rename: "Renommer",
      remove: "Supprimer",
      passkey: "Clé d’accès",
      storage: "Conservation",
      added: "Ajouté",
      never: "Jamais",
      explanation:
        "Une clé d’accès est votre empreinte, votre visage, un code PIN ou une clé de sécurité. Elle remplace le code, et ne fonctionne que pour cette adresse.",
      yourPasskeys: "Vos clés d’accès",
      lastNeeded: "Votre rôle exige deux facteurs. Ajoutez une autre clé d’accès avant de supprimer la dernière.",
      removeTitle: (name) => `Supprimer la clé d’accès « ${name} » ?`,
      removeExplained: "Elle ne permettra plus de se connecter ici. L’appareil l’affiche tant que vous ne l’y supprimez pas.",
      removed: "Clé d’accès supprimée",
      backedUp: "Sauvegardée par son fournisseur",
      syncs: "Copiable sur vos appareils",
      oneDevice: "Sur un seul appareil",
      addedNow: "Clé d’accès ajoutée",
      add: "Ajouter une clé d’accès",
      passkeyName: "Nom de la clé d’accès",
      nameHint: "Où elle est conservée : « Portable du bureau », « Clé de sécurité bleue »",
      create: "Créer la clé d’accès",
      renameTitle: (name) => `Renommer « ${name} »`,
    },
    PREFERENCE_CHOICES: {
      title: "Préférences",
      language: { label: "Langue", choices: { en: "English", fr: "Français" } },
      keptInBrowser: "Conservées dans ce navigateur",
      theme: { label: "Thème", choices: { system: "Comme le système", light: "Clair", dark: "Sombre" } },
      density: { label: "Lignes", choices: { compact: "Compactes", regular: "Normales", roomy: "Espacées" } },
      zone: { label: "Heures", choices: { utc: "UTC", local: "Votre fuseau" } },
      amounts: { label: "Montants", choices: { shown: "Affichés", hidden: "Masqués" } },
      shortcuts: { label: "Raccourcis à une touche", choices: { on: "Activé", off: "Désactivé" } },
    },
    PROFILE: {
      title: "Profil",
      nameSaved: "Nom enregistré",
      nameHint: "Vos collègues le voient à côté de vos décisions",
      saveName: "Enregistrer le nom",
      passwordChanged: "Mot de passe modifié",
      signedOutElsewhere: "Vous êtes déconnecté partout ailleurs.",
      changePassword: "Modifier le mot de passe",
      currentPassword: "Mot de passe actuel",
      newPassword: "Nouveau mot de passe",
      newPasswordHint: "Au moins 12 caractères. Vos autres sessions se terminent.",
      roleAt: (side, role) => `${side}, ${role.toLowerCase()}`,
    },
    RECOVERY_CODES: {
      title: "Vos codes de secours",
      explanation: "Chaque code vous connecte une fois si vous perdez votre second facteur. Vous ne pourrez plus les afficher ensuite.",
      notTaken: "Vous ne les avez ni copiés ni téléchargés. Une fois cette fenêtre fermée, personne ne pourra plus les afficher.",
      closeAnyway: "Fermer sans les copier",
      label: "Codes de secours",
      copyAll: "Tout copier",
      taken: "Conservés",
    },
    NOT_ME: {
      notMe: "Ce n’était pas moi",
      title: "Verrouiller votre compte",
      explained:
        "Toutes vos sessions se terminent, y compris celle-ci. Vos propositions et approbations en cours ne comptent plus. Personne ne peut décider en votre nom tant qu’un collègue n’a pas rétabli votre accès.",
      what: "Que s’est-il passé ?",
      hint: "Au moins huit caractères. Le journal d’audit les conserve, et le collègue qui rétablit votre accès les lit.",
      lock: "Verrouiller mon compte",
    },
    SESSIONS: {
      sessionEnded: "Session terminée",
      end: "Terminer",
      browser: "Navigateur",
      current: "(celle-ci)",
      signedIn: "Connexion",
      title: "Sessions",
      caption: "Où vous êtes connecté",
      refusedOne: "Une connexion refusée",
      refusedMany: (count) => `Les ${count} dernières connexions refusées`,
      refusedExplained:
        "Si ce n’était pas vous, modifiez votre mot de passe. Un code erroné signifie que quelqu’un connaît votre mot de passe.",
      refused: "Connexions refusées",
      refusedOneOf: "Erreur : {what}, depuis {address}, {time}",
    },
    TWO_FACTORS: {
      title: "Connexion à deux facteurs",
      passkeys: "Clés d’accès",
      signInAsksFor: (code, passkey) =>
        `La connexion demande ${
          code && passkey ? "une clé d’accès ou le code de votre application" : code ? "le code de votre application" : "une clé d’accès"
        }.`,
      renew: "Nouveaux codes de secours",
      move: "Passer à un autre téléphone",
      setUp: "Configurer une application d’authentification",
      switchOff: "Désactiver",
      required: "Votre rôle exige deux facteurs. Vous ne pouvez pas les désactiver.",
      showNew: "Afficher un nouveau code QR",
      show: "Afficher un code QR",
      offTitle: "Désactiver les codes de l’application ?",
      offMeans:
        "Le secret de votre application cesse de fonctionner. Sans clé d’accès, votre mot de passe suffit alors à vous connecter, et vos codes de secours sont supprimés.",
      offDone: "Les codes de l’application sont désactivés",
      offRemaining: "La page Compte affiche les facteurs qui vous restent.",
      codesRemaining: (codes) =>
        `Il reste ${codes} ${plural(codes, "code", "codes")} de secours${codes < 3 ? ". Créez-en de nouveaux avant d’utiliser le dernier." : "."}`,
    },
    IDENTITIES: {
      title: "Connexion d’entreprise",
      explained:
        "Connectez-vous avec l’identité de votre entreprise au lieu d’un mot de passe. L’association vous mène à la page de connexion de votre entreprise, puis vous ramène ici.",
      provider: "Fournisseur",
      linked: "Association",
      link: (provider) => `Associer ${provider}`,
      unlink: "Dissocier",
      unlinkTitle: (provider) => `Dissocier ${provider} ?`,
      unlinkExplained: "Elle ne permettra plus de vous connecter. Les sessions qu’elle a ouvertes restent ouvertes.",
      unlinkDone: "Identité dissociée",
    },
  },
);
