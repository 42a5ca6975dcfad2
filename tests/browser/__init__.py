"""Pages as a browser and the checkers of HTML and of accessibility see them."""
