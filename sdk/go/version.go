package settlement

// Version is the version of this SDK, which is the service's that it was released with.
const Version = "1.1.0"
