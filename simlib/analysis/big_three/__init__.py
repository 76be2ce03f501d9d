"""Questions of Big Three's own: what a bid, the widow and the lead are worth, thresholds that hold up, matches."""
