# `make EXE=name` builds the engine for this machine into a file of that name, as OpenBench asks.

EXE ?= freshet
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
TARGET := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

.PHONY: all clean
all:
	cargo build --release --locked --target-dir target
	cp target/release/freshet$(SUFFIX) "$(TARGET)"

clean:
	cargo clean --target-dir target
