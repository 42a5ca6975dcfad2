"""What values of the family of rates say, and whom they are against, if anybody."""

from math import inf

__all__ = ["SENTENCES_OF_RATES"]

SENTENCES_OF_RATES: dict[str, dict[float, tuple[str, str]]] = {
    "FPRD": {
        0.108: (
            (
                "of people who paid late, the share who are approved is larger among male than "
                "among female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "of people who paid late, the share who are approved is larger among female than "
                "among male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "of people who paid late, the share who are approved is as large among male as "
                "among female"
            ),
            "",
        ),
    },
    "FNRD": {
        0.108: (
            (
                "of those who repaid the loan, the share who are not approved is larger among "
                "male than among female, by 10.8 percentage points"
            ),
            "male",
        ),
        -0.15: (
            (
                "of those who repaid the loan, the share who are not approved is larger among "
                "female than among male, by 15 percentage points"
            ),
            "female",
        ),
        0.0: (
            (
                "of those who repaid the loan, the share who are not approved is as large among "
                "male as among female"
            ),
            "",
        ),
    },
    "FDRD": {
        0.108: (
            (
                "of those who are approved, the share of people who paid late is larger among "
                "male than among female, by 10.8 percentage points"
            ),
            "male",
        ),
        -0.15: (
            (
                "of those who are approved, the share of people who paid late is larger among "
                "female than among male, by 15 percentage points"
            ),
            "female",
        ),
        0.0: (
            (
                "of those who are approved, the share of people who paid late is as large among "
                "male as among female"
            ),
            "",
        ),
    },
    "FORD": {
        0.108: (
            (
                "of those who are not approved, the share who repaid the loan is larger among "
                "male than among female, by 10.8 percentage points"
            ),
            "male",
        ),
        -0.15: (
            (
                "of those who are not approved, the share who repaid the loan is larger among "
                "female than among male, by 15 percentage points"
            ),
            "female",
        ),
        0.0: (
            (
                "of those who are not approved, the share who repaid the loan is as large among "
                "male as among female"
            ),
            "",
        ),
    },
    "ERD": {
        0.108: (
            (
                "the share whose predictions are wrong is larger among male than among female, by "
                "10.8 percentage points"
            ),
            "male",
        ),
        -0.15: (
            (
                "the share whose predictions are wrong is larger among female than among male, by "
                "15 percentage points"
            ),
            "female",
        ),
        0.0: (
            "the share whose predictions are wrong is as large among male as among female",
            "",
        ),
    },
    "FPRR": {
        1.25: (
            (
                "of people who paid late, the share who are approved is 1.25 times as large among "
                "female as among male"
            ),
            "male",
        ),
        0.8: (
            (
                "of people who paid late, the share who are approved is 0.8 times as large among "
                "female as among male"
            ),
            "female",
        ),
        inf: (
            (
                "of people who paid late, the share who are approved is infinitely many times as "
                "large among female as among male"
            ),
            "male",
        ),
        1.0: (
            (
                "of people who paid late, the share who are approved is as large among female as "
                "among male"
            ),
            "",
        ),
    },
    "FNRR": {
        1.25: (
            (
                "of those who repaid the loan, the share who are not approved is 1.25 times as "
                "large among female as among male"
            ),
            "female",
        ),
        0.8: (
            (
                "of those who repaid the loan, the share who are not approved is 0.8 times as "
                "large among female as among male"
            ),
            "male",
        ),
        inf: (
            (
                "of those who repaid the loan, the share who are not approved is infinitely many "
                "times as large among female as among male"
            ),
            "female",
        ),
        1.0: (
            (
                "of those who repaid the loan, the share who are not approved is as large among "
                "female as among male"
            ),
            "",
        ),
    },
    "FDRR": {
        1.25: (
            (
                "of those who are approved, the share of people who paid late is 1.25 times as "
                "large among female as among male"
            ),
            "female",
        ),
        0.8: (
            (
                "of those who are approved, the share of people who paid late is 0.8 times as "
                "large among female as among male"
            ),
            "male",
        ),
        inf: (
            (
                "of those who are approved, the share of people who paid late is infinitely many "
                "times as large among female as among male"
            ),
            "female",
        ),
        1.0: (
            (
                "of those who are approved, the share of people who paid late is as large among "
                "female as among male"
            ),
            "",
        ),
    },
    "FORR": {
        1.25: (
            (
                "of those who are not approved, the share who repaid the loan is 1.25 times as "
                "large among female as among male"
            ),
            "female",
        ),
        0.8: (
            (
                "of those who are not approved, the share who repaid the loan is 0.8 times as "
                "large among female as among male"
            ),
            "male",
        ),
        inf: (
            (
                "of those who are not approved, the share who repaid the loan is infinitely many "
                "times as large among female as among male"
            ),
            "female",
        ),
        1.0: (
            (
                "of those who are not approved, the share who repaid the loan is as large among "
                "female as among male"
            ),
            "",
        ),
    },
    "ERR": {
        1.25: (
            (
                "the share whose predictions are wrong is 1.25 times as large among female as "
                "among male"
            ),
            "female",
        ),
        0.8: (
            (
                "the share whose predictions are wrong is 0.8 times as large among female as "
                "among male"
            ),
            "male",
        ),
        inf: (
            (
                "the share whose predictions are wrong is infinitely many times as large among "
                "female as among male"
            ),
            "female",
        ),
        1.0: (
            "the share whose predictions are wrong is as large among female as among male",
            "",
        ),
    },
    "TPRR": {
        1.25: (
            (
                "of those who repaid the loan, the share who are approved is 1.25 times as large "
                "among female as among male"
            ),
            "male",
        ),
        0.8: (
            (
                "of those who repaid the loan, the share who are approved is 0.8 times as large "
                "among female as among male"
            ),
            "female",
        ),
        inf: (
            (
                "of those who repaid the loan, the share who are approved is infinitely many "
                "times as large among female as among male"
            ),
            "male",
        ),
        1.0: (
            (
                "of those who repaid the loan, the share who are approved is as large among "
                "female as among male"
            ),
            "",
        ),
    },
    "TNRR": {
        1.25: (
            (
                "of people who paid late, the share who are not approved is 1.25 times as large "
                "among female as among male"
            ),
            "female",
        ),
        0.8: (
            (
                "of people who paid late, the share who are not approved is 0.8 times as large "
                "among female as among male"
            ),
            "male",
        ),
        inf: (
            (
                "of people who paid late, the share who are not approved is infinitely many times "
                "as large among female as among male"
            ),
            "female",
        ),
        1.0: (
            (
                "of people who paid late, the share who are not approved is as large among female "
                "as among male"
            ),
            "",
        ),
    },
    "PPVR": {
        1.25: (
            (
                "of those who are approved, the share who repaid the loan is 1.25 times as large "
                "among female as among male"
            ),
            "male",
        ),
        0.8: (
            (
                "of those who are approved, the share who repaid the loan is 0.8 times as large "
                "among female as among male"
            ),
            "female",
        ),
        inf: (
            (
                "of those who are approved, the share who repaid the loan is infinitely many "
                "times as large among female as among male"
            ),
            "male",
        ),
        1.0: (
            (
                "of those who are approved, the share who repaid the loan is as large among "
                "female as among male"
            ),
            "",
        ),
    },
    "NPVR": {
        1.25: (
            (
                "of those who are not approved, the share of people who paid late is 1.25 times "
                "as large among female as among male"
            ),
            "male",
        ),
        0.8: (
            (
                "of those who are not approved, the share of people who paid late is 0.8 times as "
                "large among female as among male"
            ),
            "female",
        ),
        inf: (
            (
                "of those who are not approved, the share of people who paid late is infinitely "
                "many times as large among female as among male"
            ),
            "male",
        ),
        1.0: (
            (
                "of those who are not approved, the share of people who paid late is as large "
                "among female as among male"
            ),
            "",
        ),
    },
    "ACCR": {
        1.25: (
            (
                "the share whose predictions are right is 1.25 times as large among female as "
                "among male"
            ),
            "male",
        ),
        0.8: (
            (
                "the share whose predictions are right is 0.8 times as large among female as "
                "among male"
            ),
            "female",
        ),
        inf: (
            (
                "the share whose predictions are right is infinitely many times as large among "
                "female as among male"
            ),
            "male",
        ),
        1.0: (
            "the share whose predictions are right is as large among female as among male",
            "",
        ),
    },
    "EOD": {
        0.232: (
            (
                "of those who repaid the loan or of people who paid late, whichever differ more, "
                "male and female are 23.2 percentage points apart in the share who are approved"
            ),
            "",
        ),
        0.0: (
            (
                "of those who repaid the loan and of people who paid late, the share who are "
                "approved is as large among male as among female"
            ),
            "",
        ),
    },
    "EOR": {
        0.381: (
            (
                "of those who repaid the loan or of people who paid late, whichever differ more, "
                "the smaller share who are approved, of male and female, is 0.381 times the "
                "larger one"
            ),
            "",
        ),
        1.0: (
            (
                "of those who repaid the loan and of people who paid late, the share who are "
                "approved is as large among male as among female"
            ),
            "",
        ),
    },
    "AOD": {
        0.108: (
            (
                "on average of those who repaid the loan and of people who paid late, the share "
                "who are approved is larger among male than among female, by 10.8 percentage "
                "points"
            ),
            "female",
        ),
        -0.15: (
            (
                "on average of those who repaid the loan and of people who paid late, the share "
                "who are approved is larger among female than among male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "on average of those who repaid the loan and of people who paid late, the share "
                "who are approved is as large among male as among female"
            ),
            "",
        ),
    },
    "AAOD": {
        0.232: (
            (
                "on average of those who repaid the loan and of people who paid late, male and "
                "female are 23.2 percentage points apart in the share who are approved"
            ),
            "",
        ),
        0.0: (
            (
                "of those who repaid the loan and of people who paid late, the share who are "
                "approved is as large among male as among female"
            ),
            "",
        ),
    },
    "AOR": {
        0.381: (
            (
                "on average of those who repaid the loan and of people who paid late, the smaller "
                "share who are approved, of male and female, is 0.381 times the larger one"
            ),
            "",
        ),
        1.0: (
            (
                "of those who repaid the loan and of people who paid late, the share who are "
                "approved is as large among male as among female"
            ),
            "",
        ),
    },
}
