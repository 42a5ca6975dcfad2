#!/bin/sh
# Builds what is audited, audits it, and builds the rest; ends with the code of what stopped it.
set -eu
dbt build --select +decisions
biaspipe run audits --output-dir reports
dbt build --select decisions+ --exclude decisions
