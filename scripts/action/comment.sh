#!/usr/bin/env bash
# Puts the report into one comment of the pull request, and into the same one the next time.
set -uo pipefail

report="$HEFT_RUN.md"
if [[ -z "${HEFT_PULL_REQUEST:-}" || ! -f "$report" ]]; then
  echo "no pull request, or no report: no comment"
  exit 0
fi
marker=$(head -n 1 "$report")
comments="repos/$GITHUB_REPOSITORY/issues/$HEFT_PULL_REQUEST/comments"
id=$(gh api "$comments?per_page=100" --paginate --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [[ -n "$id" ]]; then
  written=$(gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$report" --jq .html_url)
else
  written=$(gh api -X POST "$comments" -F "body=@$report" --jq .html_url)
fi
# A pull request of a fork may not write: its report is in the summary
if [[ -n "$written" ]]; then echo "$written"; else echo "::warning::no comment could be written; the report is in the summary of this run"; fi
exit 0
