"""Wrong specs, each beside the message that `biaspipe check` gives for it."""
