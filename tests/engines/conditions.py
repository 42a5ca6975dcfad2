"""Conditions that every engine has to understand alike, and the rows that they are about."""

from datetime import UTC, date, datetime
from decimal import Decimal
from math import inf, nan
from typing import Any

import polars as pl

__all__ = ["ALIKE", "FAULTY", "LINES", "REFUSED"]

CITIES = ["Bonn", "Ulm", None, "bonn", "it's", "", "50%", 'a"b', "é", "B_nn", " Ulm", "Ulm "]
N = len(CITIES)


def _column(values: list[Any], dtype: Any = None) -> pl.Series:
    """Return a column that goes through values in turn."""
    return pl.Series([values[i % len(values)] for i in range(N)], dtype=dtype)


LINES = pl.DataFrame(
    {
        "id": range(N),
        "city": CITIES,
        "age": _column([20, 30, None, 50, 60], pl.Int64),
        "small": _column([-7, 7, 0, None, 100, 127], pl.Int8),
        "x": _column([0.1, 0.5, nan, None, inf, -inf, 0.0, -0.0, 2.5, 1e300]),
        "f": _column([0.1, 0.5, nan, None, 2.5], pl.Float32),
        "price": _column(
            [Decimal("0.10"), Decimal("0.11"), None, Decimal("-1.50")], pl.Decimal(9, 2)
        ),
        "member": _column([True, False, None]),
        "day": _column(
            [date(2026, 7, 1), date(2026, 6, 30), None, date(2026, 8, 31), date(1969, 1, 1)]
        ),
        "at": _column([datetime(2026, 7, 1, 10, 30), datetime(2026, 7, 1), None]),
        "stamp": _column(
            [datetime(2026, 7, 1, 10, 30, tzinfo=UTC), datetime(2026, 6, 30, 23, tzinfo=UTC), None]
        ),
        "large": _column([2**64 - 1, 2**63, 5, None], pl.UInt64),
        "nothing": _column([None], pl.Int64),
        "void": _column([None], pl.Null),
        "order": _column([1, 2, 3, None]),
        "two words": _column([1, 2, None]),
        "kind": _column(["a", "b", None], pl.Categorical),
    }
)

ALIKE = """\
city = 'Bonn'
city <> 'Bonn'
city == 'Bonn'
'Bonn' = city
'B' < city
city != 'Bonn'
NOT city = 'Bonn'
city = 'it''s'
city = ''
city = '50%'
city = 'a"b'
city = 'é'
city < 'Ulm'
city >= 'a'
city > ''
city LIKE 'B%'
city LIKE '%n'
city LIKE 'B_nn'
city NOT LIKE 'B%'
city ILIKE 'b%'
city LIKE '%'
city LIKE '%n%'
city LIKE 'B%n'
city LIKE '%o%n%'
city LIKE '____'
city LIKE '50%'
city LIKE '50\\%'
city LIKE '%.%'
city LIKE ''
city ILIKE 'B_NN'
NOT city LIKE 'B%'
city NOT ILIKE 'b%'
city IN ('Bonn', 'Ulm')
city NOT IN ('Bonn', 'Ulm')
city IN ('Bonn')
city IS NULL
city IS NOT NULL
UPPER(city) = 'BONN'
LOWER(city) = 'bonn'
LENGTH(city) > 3
LENGTH(city) = 1
TRIM(city) = 'Ulm'
LENGTH(TRIM(city)) = 3
ENDS_WITH(city, 'n')
CONTAINS(city, '%')
SUBSTRING(city, 2) = 'lm'
SUBSTRING(city FROM 2 FOR 1) = 'l'
LEFT(city, 0) = ''
REPLACE(city, '', 'x') = city
city || ' ' || kind = 'Ulm b'
CONCAT(city, kind, '') = 'b'
NULLIF(city, 'Ulm') IS NULL
COALESCE(kind, city) = 'Ulm'
city || 'x' = 'Ulmx'
CONCAT(city, 'x') = 'x'
STARTS_WITH(city, 'B')
SUBSTR(city, 1, 1) = 'B'
LEFT(city, 1) = 'B'
REPLACE(city, 'n', 'm') = 'Bomm'
COALESCE(city, 'Ulm') = 'Ulm'
age >= 30 AND age < 60
age = 20 OR city = 'Ulm'
age BETWEEN 20 AND 50
age NOT BETWEEN 20 AND 50
age IN (20, 30)
age NOT IN (20, 30)
NOT (age > 20 AND city = 'Ulm')
NOT (age > 20 OR city = 'Ulm')
NOT age > 20
age > 20 AND NOT member OR city = 'Bonn'
age % 20 = 0
age / 2 >= 15
age / 40 > 0.6
small / 2 = 3.5
small / 2 > 3
7 / 2 = 3.5
small % 4 = 3
small % 4 = -3
-small > 0
small + 100 > 150
small * 100 > 5000
small - 127 < -128
age * 2 - 1 = 39
ABS(small) = 7
age / 0 > 1
small / 0 > 1
small % 0 = 0
x > 0.5
x >= 0.5
x < 0.5
x <= 0.5
x = 0.1
x <> 0.1
x = 0
x = -0.0
x < 0
x > 1e299
x IS NULL
x IS NOT NULL
x = x
x <> x
NOT (x < 0.5 OR x >= 0.5)
x - x = 0
x * 0 = 0
(x - x) IS NULL
x / x = 1
x > 0.5 OR city = 'Ulm'
NOT (x > 0.5 AND city = 'Ulm')
x < small
x = f
f = x
f * 10 = 1
f + x = 0.2
x IN (age, 0.5)
age IN (small, 20)
age IN (20, 30.5)
small IN (7, 100)
COALESCE(x, 1) = 1
NULLIF(x, 0.1) IS NULL
ABS(x) = 0.1
-x = -0.1
SQRT(x) > 0.5
SQRT(x) IS NULL
ROUND(x, 1) = 0.1
ROUND(x * 5) = 1
ROUND(-x) = -3
ROUND(x) = 1
FLOOR(-x) = -1
CEIL(x) IS NULL
FLOOR(x) = x
NOT x > 0.5
x BETWEEN 0 AND 1
x IN (0.1, 0.5)
x NOT IN (0.1, 0.5)
x * 2 > 1
x / 0 > 1
1 / x > 1
f = 0.1
f > 0.1
f >= 0.1
f <= 0.5
f IN (0.1, 0.5)
f BETWEEN 0.1 AND 0.5
ROUND(x) = 2
FLOOR(x) = 2
CEIL(x) = 3
price = 0.10
price = 0.1
price >= 0.1
price > 0.1
price IN (0.1, 0.11)
price BETWEEN 0.1 AND 0.11
price < 0
price * 10 = 1
price + 0.01 = 0.11
price / 2 = 0.05
member
NOT member
member = TRUE
member <> TRUE
member IS TRUE
member IS NOT TRUE
member IS FALSE
member IS NULL
member AND age > 20
member OR age > 20
COALESCE(member, TRUE)
TRUE
FALSE OR member
1 = 1
day = DATE '2026-07-01'
day >= DATE '2026-07-01'
day < DATE '1970-01-01'
day BETWEEN DATE '2026-06-30' AND DATE '2026-07-01'
day IN (DATE '2026-07-01', DATE '2026-08-31')
day >= CAST('2026-07-01' AS DATE)
day >= '2026-07-01'::DATE
day > TIMESTAMP '2026-07-01 00:00:00'
EXTRACT(YEAR FROM day) = 2026
EXTRACT(MONTH FROM day) = 7
DATE_PART('year', day) = 2026
YEAR(day) = 2026
at = TIMESTAMP '2026-07-01 10:30:00'
at >= TIMESTAMP '2026-07-01 00:00:01'
at > DATE '2026-07-01'
CAST(at AS DATE) = DATE '2026-07-01'
EXTRACT(HOUR FROM at) = 10
stamp IS NOT NULL
EXTRACT(HOUR FROM stamp) = 10
EXTRACT(DAY FROM stamp) = 1
"order" = 1
"order" > 1 AND "two words" = 2
"city" = 'Ulm'
kind = 'a'
kind IN ('a', 'b')
kind IS NULL
CASE WHEN age > 25 THEN TRUE ELSE FALSE END
CASE WHEN age > 25 THEN 1 ELSE 0 END = 1
CASE city WHEN 'Ulm' THEN 1 ELSE 0 END = 1
CASE WHEN age > 25 THEN member END
IF(age > 25, TRUE, FALSE)
NULLIF(age, 20) IS NULL
CAST(age AS VARCHAR) = '20'
CAST(age AS TEXT) LIKE '2%'
CAST(age AS DOUBLE) / 3 > 10
CAST(f AS DOUBLE) = 0.1
CAST(small AS BIGINT) * 100 > 5000
CAST(member AS INTEGER) = 1
age IS DISTINCT FROM 20
age IS NOT DISTINCT FROM small
small IS DISTINCT FROM age
SQRT(age) > 5
age = 20.0
age > 29.5
age >= 29.5
age < 29.5
age <= 29.5
age = 29.5
age <> 29.5
29.5 > age
small < 1000
small > -1000
small <> 128
age < 1e30
age > 99999999999999999999
age = 99999999999999999999
age <> 99999999999999999999
large = 18446744073709551615
large > 9223372036854775807
large > -1
large < 0.5
large % 10 = 5
large + 1 > 2
large = age
age > small
age = small + 27
age - small * 2 > 10
(age + 1) / 3 = 7
age < price * 1000
price = f
price = 1.10 - 1
price > 0.10000000000000000001
member = (age > 20)
(age > 20) = member
(age > 20) IS TRUE
member IS NOT FALSE
NOT member IS NULL
nothing = 1
void = 'a'
void = 1
void IS NULL
NOT void < DATE '2026-07-01'
void IN (1, 2)
void LIKE 'a%'
void % 2 = 1
YEAR(void) = 2026
CASE WHEN void THEN 1 ELSE 2 END = 2
CASE WHEN member THEN void ELSE void END IS NULL
void IS DISTINCT FROM age
nothing IS NULL
nothing IS NOT NULL
NOT nothing > 1
nothing + 1 > 1
LOWER(void) = 'a'
COALESCE(nothing, age) = 20
COALESCE(void, age) = 20
COALESCE(void, city) = 'Ulm'
COALESCE(void, at) = at
void OR member
2 * 3 - 5 / 2 = 3.5
1 / 0 > 0
day = at
at >= day
day <> at
stamp >= TIMESTAMPTZ '2026-07-01 12:30:00+02:00'
stamp >= DATE '2026-07-01'
stamp = TIMESTAMP '2026-07-01 10:30:00'
stamp = stamp
at < TIMESTAMP '9999-12-31 23:59:59'
day < DATE '9999-12-31'
day > DATE '1000-01-01'
MINUTE(at) = 30
SECOND(at) = 0
MONTH(at) = 7
DAY(stamp) = 30
DATE(at) = DATE '2026-07-01'
CAST(day AS TIMESTAMP) = at
COALESCE(day, DATE '2026-07-01') = DATE '2026-07-01'
COALESCE(at, day) = DATE '2026-06-30'
CASE WHEN x > 0.5 THEN 'big' WHEN x <= 0.5 THEN 'small' ELSE 'none' END = 'none'
CASE WHEN member THEN x ELSE age END > 1
CASE WHEN member THEN day END = DATE '2026-07-01'
CAST(member AS TEXT) = 'true'
CAST(member AS INTEGER) + 1 = 2
age > 1000
1 = 0
""".splitlines()
"""Conditions that keep the same rows on every engine."""
REFUSED = """\
NULL
age
age + 1
'yes'
1
age >
age > 20; DROP TABLE x
city > 20
age IN (SELECT age FROM x)
age IN (SELECT 20)
age > (SELECT 20)
wrong(age) > 1
nobody = 1
CITY = 'Ulm'
SUM(age) > 1
COUNT(*) > 0
age > AVG(age)
MAX(age) OVER () > 1
RANK() OVER (ORDER BY age) > 1
RANDOM() > 0.5
UUIDV7() > 'a'
SHUFFLE([age, 1])[1] = 1
MONOTONICALLY_INCREASING_ID() < 5
spark_partition_id() = 0
18 <= age <= 65
(18 <= age) <= 65
age = small = 1
age > 1 IS NULL
NOT age
age = NULL
age + NULL > 1
age IN (20, NULL)
age = 'x'
city = 20
city IN ('a', 1)
member = 1
member = 'true'
member < TRUE
day = '2026-07-01'
day > 20260701
at = '2026-07-01'
stamp > at
age AND member
city LIKE 5
city LIKE kind
age LIKE '2%'
LENGTH(age) = 2
UPPER(member) = 'TRUE'
ABS(city) = 1
city + 1 = 2
city || 1 = 'x1'
x % 2 = 0.5
age % small = 1
COALESCE(age, city) = 'x'
CASE WHEN age THEN 1 ELSE 2 END = 1
CASE WHEN member THEN 1 ELSE 'x' END = 1
CAST(x AS BIGINT) = 2
CAST(city AS INTEGER) = 1
CAST(city AS DOUBLE) = 1
CAST(x AS TEXT) = '0.1'
CAST(age AS DATE) = DATE '2026-07-01'
YEAR(city) = 2026
HOUR(day) = 1
EXTRACT(DECADE FROM day) = 202
SUBSTR(city, 0, 1) = 'B'
LEFT(city, age) = 'B'
LEFT(city, -1) = 'B'
DATE '2026-02-30' = day
DATE '1/2/2026' = day
TIMESTAMP 'yesterday' = at
age = 1e400
age = 1abc
age = 0x10
city = "Ulm"
""".splitlines()
"""Conditions that are a wrong spec on every engine."""
FAULTY = ["CAST(city AS DATE) = DATE '2026-07-01'"]
"""Conditions that the data cannot answer."""
