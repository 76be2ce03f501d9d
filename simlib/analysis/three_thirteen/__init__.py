"""Questions about Three-Thirteen: what to do with a hand, how scores come about, what rules change."""
