#!/bin/sh
# A nightly audit for cron, as `0 2 * * * /srv/audits/nightly.sh`: everything goes to a log of the
# run, and who answers is told by mail where the code is not 0. No `set -e`: the code is looked at.
cd "$(dirname "$0")" || exit 3
PATH=${BIASPIPE_BIN:-/srv/audits/.venv/bin}:$PATH # cron's own is short
reports=reports/$(date -u +%F_%H%M%S)
mkdir -p reports
mkdir "$reports" || exit 3 # one that is there is another run's
biaspipe run audits --output-dir "$reports" > "$reports/log.txt" 2>&1
code=$?
case $code in
  0) exit 0 ;;
  1) words="a check failed" ;;
  2) words="a spec is wrong" ;;
  3) words="the data could not be read" ;;
  4) words="a check could not be decided" ;;
  5) words="nothing was checked" ;;
  *) words="the audit was stopped" ;;
esac
mail -s "biaspipe: $words (exit $code)" "${BIASPIPE_MAIL:-owner@example.com}" < "$reports/log.txt"
exit "$code"
