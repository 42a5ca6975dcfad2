"""What names of columns, and words among their values, suggest; in a few languages."""

import re
from itertools import pairwise

__all__ = [
    "BAD",
    "FALSE",
    "GOOD",
    "HARMS",
    "MISSING_MARKERS",
    "TRUE",
    "is_age",
    "is_count",
    "is_group",
    "is_harm",
    "is_identifier",
    "is_stratum",
    "is_weight",
    "label_rank",
    "last_word",
    "prediction_rank",
    "sensitive_ranks",
    "tokens",
]

SENSITIVE = (
    "sex gender geschlecht sexe sexo genre genero genere kon geslacht",
    "race ethnicity ethnic ethnie rasse raza raca razza etnia ethnicgroup raceethnicity",
    "age alter edad idade eta leeftijd agegroup agerange ageband agecat agebucket agegrp",
    "religion faith creed glaube disability disabled handicap behinderung",
    "nationality citizenship citizen foreign country immigrant migration nationalite",
    "marital maritalstatus married civilstatus familienstand personalstatus pregnant pregnancy",
    "orientation lgbt lgbtq veteran caste skin skintone indigenous tribe",
)
"""Words for protected attributes, those that are audited most first."""
AGE = "age alter edad idade eta leeftijd"
IDENTIFIER = "id ids uuid guid uid ssn email phone key index rowid rownum zip zipcode postcode url"
IDENTIFIER_ENDS = re.compile(r".{2,}(Id|ID)$|^id_|_id$")
STRATUM = (
    "department dept job occupation role purpose grade education degree level region state"
    " branch product category segment stratum strata site school college program class pclass"
)
WEIGHT = "weight weights sampleweight fnlwgt wt pweight"
COUNT = "n count counts freq frequency people persons applicants cases"
PLAIN_LABELS = "label labels target y ytrue outcome groundtruth truth actual actuals"
LIKELY_LABELS = (
    "class income salary credit approved accepted hired admitted survived repaid paid granted"
    " loanstatus diagnosis passed promoted selected recid twoyearrecid isrecid recidivism default"
    " churn fraud graduated admission admit accept hire offer readmitted status result decision"
)
PLAIN_PREDICTIONS = (
    "prediction predictions predicted pred preds ypred yhat yscore yprob score scores probability"
    " proba prob modelscore decilescore riskscore scoretext"
)
LIKELY_PREDICTIONS = "decision recommendation modeloutput forecast estimate"
HARM = (
    "default defaulted recid recidivism twoyearrecid isrecid fraud churn churned arrest arrested"
    " denied denial rejected delinquent delinquency death died dead disease readmitted failed"
    " failure attrition dropout spam toxic cancer risk bad reoffend bankrupt late fired"
    " infected infection guilty convicted fraudulent abusive exited terminated"
)
HARMS = frozenset(HARM.split())

GOOD_WORDS = (
    "approved accept accepted hired hire admitted granted good paid repaid pass passed success"
    " selected survived qualified eligible won win offer promoted favorable favourable"
)
GOOD = frozenset(GOOD_WORDS.split())
"""Words that are good news, whatever the column is called."""
BAD_WORDS = (
    "denied deny reject rejected bad unpaid fail failed failure died unqualified ineligible lost"
    " declined unfavorable default defaulted"
)
BAD = frozenset(BAD_WORDS.split())
"""Words that are bad news, whatever the column is called."""
TRUE_WORDS = "1 1.0 yes y true t positive pos high ja oui si sim"
TRUE = frozenset(TRUE_WORDS.split())
"""Words that say that what the column is called is so."""
FALSE_WORDS = "0 0.0 -1 -1.0 no n false f negative neg low nein non nao"
FALSE = frozenset(FALSE_WORDS.split())
"""Words that say that it is not so."""
MISSING_MARKERS = ("?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null")
"""Texts that stand for a missing value, and for hardly anything else."""


def tokens(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: its parts, pairs of them, and all of it.

    >>> tokens("maritalStatus"), tokens("sex")
    (('marital', 'status', 'maritalstatus'), ('sex',))
    """
    parts = _parts(name)
    pairs = [a + b for a, b in pairwise(parts)]
    return tuple(dict.fromkeys([*parts, *pairs, "".join(parts)]))


def _parts(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W_]+", spaced.casefold())


def _rank(name: str, groups: tuple[str, ...]) -> int | None:
    words = tokens(name)
    return next((i for i, group in enumerate(groups) if set(group.split()) & {*words}), None)


def sensitive_ranks(name: str) -> tuple[int, ...]:
    """Return the places in the list of protected attributes that a name speaks of.

    >>> sensitive_ranks("Sex"), sensitive_ranks("race-sex"), sensitive_ranks("stage")
    ((0,), (0, 1), ())
    """
    words = {*tokens(name)}
    return tuple(i for i, group in enumerate(SENSITIVE) if words & {*group.split()})


def label_rank(name: str) -> int | None:
    """Return how plainly a name is that of a label, 0 most; None for any other name.

    >>> [label_rank(name) for name in ("y_true", "loan_status", "denied", "height")]
    [0, 1, 2, None]
    """
    return _rank(name, (PLAIN_LABELS, LIKELY_LABELS, HARM))


def prediction_rank(name: str) -> int | None:
    """Return how plainly a name is that of a prediction, 0 most; None for any other name.

    >>> prediction_rank("y_pred"), prediction_rank("decile_score"), prediction_rank("sex")
    (0, 0, None)
    """
    return _rank(name, (PLAIN_PREDICTIONS, LIKELY_PREDICTIONS))


def last_word(name: str) -> str:
    """Return the last word of a name, in lower case.

    >>> last_word("prob_1"), last_word("pGood")
    ('1', 'good')
    """
    *_, last = ["", *_parts(name)]
    return last


def _has(name: str, words: str) -> bool:
    return not set(words.split()).isdisjoint(tokens(name))


def is_age(name: str) -> bool:
    """Whether a name is that of an age."""
    return _has(name, AGE)


def is_group(name: str) -> bool:
    """Whether a name is that of a protected attribute."""
    return bool(sensitive_ranks(name))


def is_identifier(name: str) -> bool:
    """Whether a name is that of something that tells people apart.

    >>> is_identifier("applicant_id"), is_identifier("PassengerId"), is_identifier("paid")
    (True, True, False)
    """
    return _has(name, IDENTIFIER) or IDENTIFIER_ENDS.search(name) is not None


def is_stratum(name: str) -> bool:
    """Whether a name is that of something by which people are grouped before they are compared."""
    return _has(name, STRATUM)


def is_weight(name: str) -> bool:
    """Whether a name is that of a sampling weight."""
    return _has(name, WEIGHT)


def is_count(name: str) -> bool:
    """Whether a name is that of a number of people."""
    return tokens(name)[:1] != () and tokens(name)[-1] in COUNT.split()


def is_harm(name: str) -> bool:
    """Whether a name is that of an outcome that harms whom it happens to.

    >>> is_harm("two_year_recid"), is_harm("repaid")
    (True, False)
    """
    return not HARMS.isdisjoint(tokens(name))
