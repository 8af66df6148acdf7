# For OpenBench: `make EXE=name` leaves one script that needs only Node, for OpenBench moves it away and deletes the rest.
# EVALFILE=weights.json packs those weights in; TUNE=1 declares the search parameters as options, for SPSA; CC and CXX mean nothing here. People use npm.

EXE ?= heft

.PHONY: all
all:
	node scripts/bootstrap.mjs
	node scripts/standalone.mjs "$(EXE)" "$(EVALFILE)" "$(TUNE)"
