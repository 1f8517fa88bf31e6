"""The Leaderboard page."""
