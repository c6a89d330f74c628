# `make EXE=name` builds the engine for this machine into a file of that name, as OpenBench asks.
# `make release` builds one program for each level of x86-64, with checksums, in dist/, and runs
# those that can run here.

EXE ?= freshet
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
TARGET := $(patsubst %.exe,%,$(EXE))$(SUFFIX)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)

# The `target-cpu` of each level. x86-64-v4 lacks parts of AVX-512 that the fills use, hence
# x86-64-avx512.
CPU_x86-64-v1 := x86-64
CPU_x86-64-v2 := x86-64-v2
CPU_x86-64-v3 := x86-64-v3
CPU_x86-64-avx512 := icelake-server
LEVELS := x86-64-v1 x86-64-v2 x86-64-v3 x86-64-avx512

LINUX := x86_64-unknown-linux-gnu
WINDOWS := x86_64-pc-windows-gnu
ARM := aarch64-unknown-linux-gnu

.PHONY: all clean release linux windows aarch64 sums
all:
	cargo build --release --locked --target-dir target
	cp target/release/freshet$(SUFFIX) "$(TARGET)"

release: linux sums
	for level in $(LEVELS); do \
		echo "== $$level"; dist/freshet-$(VERSION)-linux-$$level --version || true; \
	done

linux: $(LEVELS:%=linux-%)
linux-%:
	mkdir -p dist
	RUSTFLAGS="-C target-cpu=$(CPU_$*) -C target-feature=+crt-static" \
		cargo build --profile portable --locked --target $(LINUX) --target-dir target/$*
	cp target/$*/$(LINUX)/portable/freshet dist/freshet-$(VERSION)-linux-$*

# For the next two the Rust target and a linker for it have to be installed.
windows: $(LEVELS:%=windows-%)
windows-%:
	mkdir -p dist
	RUSTFLAGS="-C target-cpu=$(CPU_$*) -C target-feature=+crt-static" \
		cargo build --profile portable --locked --target $(WINDOWS) --target-dir target/$*
	cp target/$*/$(WINDOWS)/portable/freshet.exe dist/freshet-$(VERSION)-windows-$*.exe

aarch64:
	mkdir -p dist
	RUSTFLAGS="-C target-feature=+crt-static" \
		cargo build --profile portable --locked --target $(ARM) --target-dir target/aarch64
	cp target/aarch64/$(ARM)/portable/freshet dist/freshet-$(VERSION)-linux-aarch64

sums:
	cp LICENSE README.md dist/
	cd dist && sha256sum freshet-* > SHA256SUMS

clean:
	cargo clean --target-dir target
	rm -rf dist
