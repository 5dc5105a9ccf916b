"""Mode `delegate`, piece by piece: a plan, juniors who read only their parts, a challenge."""
