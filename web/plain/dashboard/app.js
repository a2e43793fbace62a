// This build has no dashboard pages.
