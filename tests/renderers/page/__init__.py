"""Pages of HTML: what is drawn of a story, and where its marks stand."""
