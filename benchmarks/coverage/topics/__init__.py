"""The topics of the grid: each module has its `SCENES`, and `--only NAME` runs it alone.

A new module is found by its name, and needs no entry elsewhere.
`comparison` makes a scene of multinomial counts of two groups, on a `grid` of cases or any other
list of them. A `Scene` of its own says how samples are drawn, what the product makes of one of
them, and what is expected: the true value of an interval, or the bounds of how often something
may happen. The names of both are the rows of the tables.
"""

__all__: list[str] = []
