#!/usr/bin/env bash
# Writes the report into a comment on the pull request. Later runs of the same test update the same comment.
set -uo pipefail

report="$HEFT_RUN.md"
if [[ -z "${HEFT_PULL_REQUEST:-}" || ! -f "$report" ]]; then
  echo "no comment, because there is no pull request or no report"
  exit 0
fi
# The run's name ends in the hash of the test's settings, because a pull request may have several tests
marker="<!-- heft-tools match ${HEFT_RUN##*-} -->"
body="$report.comment"
{ echo "$marker" && tail -n +2 "$report"; } >"$body"
comments="repos/$GITHUB_REPOSITORY/issues/$HEFT_PULL_REQUEST/comments"
id=$(gh api "$comments?per_page=100" --paginate --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [[ -n "$id" ]]; then
  written=$(gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$body" --jq .html_url)
else
  written=$(gh api -X POST "$comments" -F "body=@$body" --jq .html_url)
fi
# Runs for pull requests from forks cannot write comments; their report is in the summary
if [[ -n "$written" ]]; then echo "$written"; else echo "::warning::no comment could be written; the report is in the summary of this run"; fi
exit 0
