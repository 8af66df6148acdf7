#!/usr/bin/env bash
# Builds head and base and plays their match, or continues it. The inputs of the action arrive in environment variables named HEFT_…
# and are passed to the command as separate arguments. The shell never interprets them.
set -uo pipefail

case "${HEFT_FAIL_ON:-never}" in
  H0 | H1 | never) ;;
  *)
    echo "::error::fail-on must be H0, H1 or never, not $HEFT_FAIL_ON"
    exit 2
    ;;
esac

# A single word after --each would be parsed as a list of words
built=()
[[ -n "${HEFT_BUILD:-}" ]] && built+=("build=$HEFT_BUILD")
[[ -n "${HEFT_EXE:-}" ]] && built+=("exe=$HEFT_EXE")
# In the bash of macOS, an empty array counts as an unset variable
words=(--engine "name=head ${HEFT_HEAD:0:8}" "rev=$HEFT_HEAD" ${built[@]+"${built[@]}"})
words+=(--engine "name=base ${HEFT_BASE:0:8}" "rev=$HEFT_BASE" ${built[@]+"${built[@]}"})
if [[ -n "${HEFT_NODES:-}" ]]; then
  words+=(--nodes "$HEFT_NODES")
else
  words+=(--tc "${HEFT_TC:-8+0.08}")
fi
words+=(--sprt --elo0 "${HEFT_ELO0:-0}" --elo1 "${HEFT_ELO1:-5}" --alpha "${HEFT_ALPHA:-0.05}" --beta "${HEFT_BETA:-0.05}")
[[ -n "${HEFT_GAMES:-}" ]] && words+=(--games "$HEFT_GAMES")
[[ -n "${HEFT_OPENINGS:-}" ]] && words+=(--openings "$HEFT_OPENINGS")
[[ -n "${HEFT_WORKERS:-}" ]] && words+=(--workers "$HEFT_WORKERS")
# One further argument per line
if [[ -n "${HEFT_OPTIONS:-}" ]]; then
  while IFS= read -r word; do [[ -n "$word" ]] && words+=("$word"); done <<<"$HEFT_OPTIONS"
fi
report="$HEFT_RUN.md"
words+=(--budget "${HEFT_BUDGET:-45m}" --out "$HEFT_RUN" --page 0 --markdown "$report")

status=0
mkdir -p "$(dirname "$HEFT_RUN")"
node "$GITHUB_ACTION_PATH/dist/tools/main.js" match "${words[@]}" || status=$?

[[ -f "$report" ]] && cat "$report" >>"$GITHUB_STEP_SUMMARY"
verdict=none
if ((status != 0)); then
  verdict=error
elif [[ -f "$HEFT_RUN/result.json" ]]; then
  verdict=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).verdict ?? "none"' "$HEFT_RUN/result.json")
fi
echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
# The step fails if the match cannot be played, or if the verdict is the input fail-on. The steps after it run nevertheless
((status == 0)) || exit "$status"
[[ "$verdict" == "${HEFT_FAIL_ON:-never}" ]] && echo "::error::the SPRT accepted $verdict" && exit 1
exit 0
