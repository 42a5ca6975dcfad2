"""Conditions that try to do harm: to run code, to invent rows, to read elsewhere, to break down."""

__all__ = ["ATTACKS"]

DEEP = 400

ROWS = """\
unnest(CASE WHEN sex = 'f' AND p = 1 THEN [TRUE, TRUE, TRUE] ELSE [TRUE] END)
UNNEST([TRUE, TRUE])
explode(array(TRUE, TRUE))
posexplode(array(TRUE))
generate_subscripts([1, 2], 1) = 1
generate_series(1, 3) = 1
range(3)
TRUE LIMIT 1
TRUE ORDER BY sex
TRUE GROUP BY sex
TRUE UNION ALL SELECT TRUE
TRUE) UNION SELECT * FROM rows --
p = 1 QUALIFY ROW_NUMBER() OVER () = 1
p = 1 WINDOW w AS ()
p = 1 TABLESAMPLE (50 PERCENT)
COLUMNS('.*')
COLUMNS(*) > 1
* > 1
rows.*
EXISTS (SELECT 1)
p IN (SELECT p FROM rows)
p = ANY (SELECT p FROM rows)
p = ALL (ARRAY[1, 2])
(SELECT COUNT(*) FROM rows) > 1
(VALUES (1)) = 1
(FROM rows) = 1
ROW_NUMBER() OVER () < 10
LAG(p) OVER (ORDER BY sex) = 1
SUM(p) > 1
ANY_VALUE(p) = 1
LIST(p) = [1]
STRING_AGG(sex, ',') = 'm'
"""
CODE = """\
java_method('java.lang.System', 'load', '/x.so') = ''
reflect('java.lang.Runtime', 'getRuntime') = ''
try_reflect('java.lang.System', 'exit', 1) = ''
python_udf(p)
system('id')
load_extension('/x.so')
pg_catalog.pg_sleep(60) IS NULL
pg_sleep(60) IS NULL
sleep(60) = 0
BENCHMARK(1000000000, MD5('x')) = 0
dblink('host=evil', 'SELECT 1') = ''
query_to_xml('SELECT * FROM secrets', TRUE, TRUE, '') IS NOT NULL
pg_read_file('/etc/passwd') LIKE 'root%'
pg_switch_wal() IS NOT NULL
lo_import('/etc/passwd') > 0
read_text('/etc/passwd') LIKE 'root%'
read_csv('/etc/passwd')
glob('/etc/*') = ''
getenv('HOME') = '/root'
current_setting('is_superuser') = 'on'
set_config('x', 'y', FALSE) = 'y'
getvariable('x') = 1
input_file_name() LIKE '%a%'
INPUT_FILE_BLOCK_START() = 0
sql('SELECT 1')
query('SELECT 1')
xpath('x', 'y') = ''
p = 1; DROP TABLE rows
p = 1; SELECT 1
DROP TABLE rows
DELETE FROM rows
SET x = 1
ATTACH 'x.db'
COPY rows TO '/tmp/x'
INSTALL httpfs
PRAGMA version
CALL pragma_version()
p -> 1
sex.x
rows.p = 1
main.rows.p = 1
sex['a'] = 1
{'a': p}['a'] = 1
STRUCT(p) = 1
x -> x + 1
list_transform([1], x -> x) = [1]
p = ?
p = $1
p = :p
p = @p
p = @@version
p = ${HOME}
p = {{ p }}
p = {% p %}
p /* hidden */ = 1
p = 1 -- and more
p = 1 # and more
/*+ hint */ p = 1
sex = E'\\\\x41'
sex = $$m$$
sex = X'6D'
sex = 0x6D
sex = N'm'
sex = U&'m'
sex = 'm' 'f'
sex = `m`
"""
CLOCK = """\
RANDOM() > 0.5
main.random() > 0.5
pg_catalog.random() > 0.5
system.builtin.rand() > 0.5
RAND() > 0.5
randomblob(1) = 'x'
random_normal() > 0
gen_random_uuid() = 'x'
UUID() > 'a'
uuidv7() > 'a'
setseed(0.1) IS NULL
nextval('s') > 1
NEXT VALUE FOR s > 1
currval('s') > 1
monotonically_increasing_id() < 5
spark_partition_id() = 0
rowid < 5
ctid = '(0,1)'
NOW() > DATE '2026-07-01'
CURRENT_DATE > DATE '2026-07-01'
current_date() > DATE '2026-07-01'
CURRENT_TIMESTAMP > TIMESTAMP '2026-07-01 00:00:00'
LOCALTIMESTAMP > TIMESTAMP '2026-07-01 00:00:00'
LOCALTIME IS NOT NULL
TODAY() > DATE '2026-07-01'
GETDATE() > DATE '2026-07-01'
SYSDATE() IS NULL
clock_timestamp() IS NULL
transaction_timestamp() IS NULL
date('now') IS NULL
date(sex || 'now') = sex
DATE 'today' = DATE '2026-07-01'
TIMESTAMP 'now' > TIMESTAMP '2026-07-01 00:00:00'
CAST('today' AS DATE) = DATE '2026-07-01'
AGE(DATE '2026-07-01') IS NULL
julianday('now') > 0
unixepoch() > 0
txid_current() > 1
version() = 'x'
current_user = 'x'
CURRENT_USER() = 'x'
session_user() = 'x'
CURRENT_ROLE = 'x'
CURRENT_CATALOG = 'x'
pg_backend_pid() > 1
"""
SLIPS = """\
18 <= p <= 65
p = 1 = 1
sex < 'm' < 'z'
(1 < p) < 2
p BETWEEN 0 AND 1 = TRUE
NOT p = NULL
p = NULL
p IN (1, NULL)
TRY_CAST(sex AS INTEGER) = 1
CAST(sex AS STRUCT(a INTEGER)) = 1
CAST(p AS DECIMAL(2, 1)) = 1
sex::REGCLASS = 'x'
CAST(sex AS JSON) = 'x'
sex COLLATE NOCASE = 'M'
sex AT TIME ZONE 'UTC' = 'x'
sex LIKE 'm' ESCAPE '!'
sex LIKE ANY ('m', 'f')
sex SIMILAR TO '(a+)+$'
sex ~ '(a+)+$'
regexp_matches(sex, '(a+)+$')
sex GLOB '*'
p << 62 > 1
p ** 9 > 1
p ^ 9 > 1
~p = 1
p & 1 = 1
p!
repeat(sex, 1000000000) = 'x'
lpad(sex, 1000000000, 'x') = 'x'
replace(sex, sex, sex) = 'x'
DATE_TRUNC('month', DATE '2026-07-01') = DATE '2026-07-01'
p + INTERVAL '1' DAY = p
ROUND(p, 99) = 1
ROUND(p, p) = 1
LEFT(sex, 99999999999999999999) = 'm'
SUBSTRING(sex, -1) = 'm'
p = 1e999999999
p = 1e-999999999
CASE WHEN p THEN 1 END
p,
,
(
)
()
'
"
"p
p = 'x
p = 1 AND
AND p = 1
NOT
"""
BOMBS = {
    "parentheses": "(" * DEEP + "p" + ")" * DEEP + " = 1",
    "parentheses without end": "(" * 5_000,
    "brackets": "[" * 5_000,
    "braces": "{" * 5_000,
    "negations": "NOT " * DEEP + "p = 1",
    "minuses": "- " * 3_000 + "1 = p",
    "cases": "CASE WHEN " * 900 + "TRUE" + " THEN TRUE END" * 100,
    "sums": "p" + " + p" * 600 + " = 1",
    "texts": "sex" + " || sex" * 600 + " = 'm'",
    "comparisons": "p" + " = p" * 900,
    "calls": "lower(" * 1_000 + "sex" + ")" * 1_000 + " = 'm'",
    "casts": "sex" + "::TEXT" * 900 + " = 'm'",
    "many values": f"p IN ({', '.join(map(str, range(2_000)))})",
    "many parts": " OR ".join(["p = 1"] * 1_200),
    "long": "p = 1" + " " * 10_000,
    "doubling": "ROUND(" * 20 + "p" + ")" * 20 + " = 1",
    "doubling cases": "COALESCE(" * 30 + "p + 1" + ", p) + 1" * 30 + " = 1",
    "long number": "p = " + "9" * 5_000,
    "long digits": "p = 0." + "1" * 5_000,
    "nothing but a byte": "\0",
    "a byte within": "p = 1\0",
    "half a character": "p = '\ud800'",
    "letters of other forms": "\uff50 = 1",
    "subscripts": "sex" + "[1]" * 900 + " = 'm'",
    "arrows": "sex" + " -> 'a'" * 900 + " = 'm'",
    "intervals": "p = " + "INTERVAL " * 900 + "1",
    "replacing": "replace(" * 40 + "sex" + ", 'm', 'mmmmmmmmmmmmmmmm')" * 40 + " = 'm'",
    "replacing letters of many bytes": "replace(" * 4
    + "sex"
    + ", 'm', '\U0001f600')" * 4
    + " = 'm'",
    "replacing sums": "replace(" * 2 + " || ".join(["sex"] * 11) + ", 'm', 'mmmm')" * 2 + " = 'm'",
    "replacing what is chosen": "replace(CASE WHEN p = 1 THEN sex ELSE 'm' END, 'm', '"
    + "m" * 101
    + "') = 'm'",
    "replacing a constant": "replace(concat('" + "m" * 2_000 + "'), 'm', '" + "m" * 99 + "') = sex",
    "replacing in other cases": "upper(replace(upper(sex), 'M', '" + "m" * 20 + "')) = 'm'",
    "replacing, measured": "length(replace(sex, 'm', '" + "m" * 101 + "')) > 1",
    "betweens": "p BETWEEN " * 800 + "1",
}
ATTACKS = {
    **{line: line for text in (ROWS, CODE, CLOCK, SLIPS) for line in text.splitlines()},
    **BOMBS,
}
"""Conditions by a name: each has to be a wrong spec."""
