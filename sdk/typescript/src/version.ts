/** The version of this SDK, which is the service's that it was released with. */
export const VERSION = "1.1.0";
