/** One thing to finish before a partner takes real money. `page` and `screen`: where the documentation and the console have more about it. */
type Entry = { step: string; title: string; text: string; page: string; screen: string };

/** The checklist before live mode, in order. The documentation and the console both show it from here. */
export const GO_LIVE = [
  {
    step: "signed_keys",
    title: "Every key signs every request",
    text: "A new key in live mode signs everything: signed_management is all. Keys of the sandbox need not sign on the partner-management surface. Sign there in your tests too.",
    page: "/docs/signing",
    screen: "/console/developers/keys",
  },
  {
    step: "key_addresses",
    title: "Every key is limited to your addresses",
    text: "Give each program its own key, with the scopes that it needs and the addresses of its servers. The service refuses the key from any other address.",
    page: "/docs/secrets#scopes",
    screen: "/console/developers/keys",
  },
  {
    step: "callback_secret",
    title: "You have a callback secret",
    text: "Rotate secret makes your first one. Until then callbacks carry no webhook-signature, and your receiver cannot verify them.",
    page: "/docs/callbacks#verify",
    screen: "/console/developers/keys",
  },
  {
    step: "receiver_certified",
    title: "Your receiver passes the receiver check",
    text: "The check sends your live receiver duplicates, forgeries and late callbacks. It passes when your receiver handles all of them.",
    page: "/docs/certify",
    screen: "/console/developers/receiver-check",
  },
  {
    step: "limits",
    title: "A pair is open to you",
    text: "Also compare the minimum and maximum of each pair with your payments, and your rate limits with your traffic. Ask the operator to change them before you start.",
    page: "/docs/retries#limits",
    screen: "/console/rates",
  },
  {
    step: "people",
    title: "Two owners sign in with a second factor",
    text: "In live mode another owner confirms payments from a file. Invite a second owner. Both set up a passkey or one-time codes, or use single sign-on.",
    page: "/docs/single-sign-on",
    screen: "/console/team",
  },
  {
    step: "first_payment",
    title: "A first payment has arrived",
    text: "Pay a small amount to a wallet of your own. It is done when the settlement is executed and your receiver has accepted a callback.",
    page: "/docs/lifecycle",
    screen: "/console/settlements",
  },
] as const satisfies readonly Entry[];

export type GoLiveStep = (typeof GO_LIVE)[number]["step"];
