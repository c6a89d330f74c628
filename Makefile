# `make EXE=name` builds the engine for this machine into a file of that name, as OpenBench asks.
#
# `make check` runs everything that must hold before a change is accepted.
#
# `make release` builds the archives of a release in dist/, with checksums: for x86-64 a program for
# each level and a launcher that starts the one that fits, for Linux and Windows; for Linux on
# aarch64; for browsers. `make deb` makes a package of what `make linux` built. `make check-release` runs those that can run here. Each part can be built
# alone: `make linux windows aarch64 web`, `make linux-x86-64-v3`. docs/building.md says what has to
# be installed.

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
WASM := wasm32-wasip1
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER ?= aarch64-linux-gnu-gcc

# The same source gives the same bytes in any folder and at any time: no path of this machine in
# the programs, no time in PE headers, all files of an archive as old as the commit.
CARGO_HOME ?= $(HOME)/.cargo
REMAP := --remap-path-prefix=$(CURDIR)=/freshet --remap-path-prefix=$(CARGO_HOME)=/cargo
STATIC := $(REMAP) -C target-feature=+crt-static
PE := $(STATIC) -C link-arg=-Wl,--no-insert-timestamp
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# One folder for all builds, so that what runs while building is compiled once. Each level leaves its
# program in the same place, so they are built one after the other.
BUILDS := target/releases
.NOTPARALLEL:

.PHONY: all check clean release linux windows aarch64 web archives deb check-release
all:
	cargo build --release --locked --target-dir target
	cp target/release/freshet$(SUFFIX) "$(TARGET)"

release: linux windows aarch64 web archives

# Programs of a release get debug symbols, which `split` moves into files of their own.
linux-% windows-% aarch64: export CARGO_PROFILE_RELEASE_DEBUG := line-tables-only

# For Windows, rustc writes import libraries into folders with random names, which get into symbols.
NO_RANDOM_SYMBOLS := --wildcard --strip-symbol='*_dll_imports_lib*'

# A program without its debug symbols, which go into a file of their own in dist/debug/.
# $(call split,OBJCOPY,PROGRAM,FOLDER,NAME)
define split
	mkdir -p dist/$(3) dist/debug/$(3)
	$(1) --only-keep-debug $(NO_RANDOM_SYMBOLS) $(2) dist/debug/$(3)/$(4).debug
	cd dist/debug/$(3) && $(1) --strip-all --add-gnu-debuglink=$(4).debug $(CURDIR)/$(2) $(CURDIR)/dist/$(3)/$(4)
endef

check:
	.ci/run

linux: $(LEVELS:%=linux-%) launcher-linux
linux-%:
	RUSTFLAGS="-C target-cpu=$(CPU_$*) $(STATIC)" \
		cargo build --release --locked --target $(LINUX) --target-dir $(BUILDS)
	$(call split,objcopy,$(BUILDS)/$(LINUX)/release/freshet,linux-x86-64,freshet-$*)

launcher-linux:
	RUSTFLAGS="-C target-cpu=x86-64 $(STATIC)" cargo build --release --locked \
		--manifest-path launcher/Cargo.toml --target $(LINUX) --target-dir $(BUILDS)
	$(call split,objcopy,$(BUILDS)/$(LINUX)/release/freshet-launcher,linux-x86-64,freshet)

windows: $(LEVELS:%=windows-%) launcher-windows
windows-%:
	RUSTFLAGS="-C target-cpu=$(CPU_$*) $(PE)" \
		cargo build --release --locked --target $(WINDOWS) --target-dir $(BUILDS)
	$(call split,x86_64-w64-mingw32-objcopy,$(BUILDS)/$(WINDOWS)/release/freshet.exe,windows-x86-64,freshet-$*.exe)

launcher-windows:
	RUSTFLAGS="-C target-cpu=x86-64 $(PE)" cargo build --release --locked \
		--manifest-path launcher/Cargo.toml --target $(WINDOWS) --target-dir $(BUILDS)
	$(call split,x86_64-w64-mingw32-objcopy,$(BUILDS)/$(WINDOWS)/release/freshet-launcher.exe,windows-x86-64,freshet.exe)

aarch64:
	RUSTFLAGS="$(STATIC)" \
		cargo build --release --locked --target $(ARM) --target-dir $(BUILDS)
	$(call split,aarch64-linux-gnu-objcopy,$(BUILDS)/$(ARM)/release/freshet,linux-aarch64,freshet)

web:
	RUSTFLAGS="$(REMAP) -C link-arg=-zstack-size=16777216 -C strip=symbols" CARGO_PROFILE_RELEASE_LTO=fat \
		cargo build --release --locked --package freshet-web --target $(WASM) --target-dir $(BUILDS)
	mkdir -p dist/web
	cp $(BUILDS)/$(WASM)/release/freshet_web.wasm dist/web/freshet.wasm
	cp web/freshet.js web/engine.js web/worker.js web/run.js web/README.md dist/web/
	cp web/index.html dist/web/example.html
	cp templates/board/index.html templates/board/app.js templates/board/app.css dist/web/

# What is in dist/, one archive for each folder, and their checksums.
NAME := freshet-$(VERSION)
archives:
	rm -f dist/*.tar.gz dist/*.zip dist/SHA256SUMS
	for folder in linux-x86-64 linux-aarch64 windows-x86-64 web; do \
		test -d dist/$$folder || continue; \
		cp LICENSE dist/$$folder/; test -e dist/$$folder/README.md || cp README.md dist/$$folder/; \
		find dist/$$folder -exec touch -d @$(SOURCE_DATE_EPOCH) {} +; \
		case $$folder in \
		windows-*) (cd dist && find $$folder -type f | LC_ALL=C sort | TZ=UTC zip -qX -@ $(NAME)-$$folder.zip) ;; \
		*) $(call tar,$$folder,$(NAME)-$$folder.tar.gz) ;; \
		esac || exit 1; \
	done
	test ! -d dist/debug || $(call tar,debug,$(NAME)-debug.tar.gz)
	cd dist && sha256sum *.tar.gz $$(ls *.zip 2>/dev/null) > SHA256SUMS
	cat dist/SHA256SUMS

# $(call tar,FOLDER,ARCHIVE)
define tar
(cd dist && tar --sort=name --mtime=@$(SOURCE_DATE_EPOCH) --owner=0 --group=0 --numeric-owner --mode=go=rX -cf - $(1) | gzip -9n > $(2))
endef

# A Debian package of what `make linux` has built: the programs in /usr/lib/freshet, the launcher
# as /usr/games/freshet.
DEB := target/deb
deb:
	rm -rf $(DEB)
	mkdir -p $(DEB)/DEBIAN $(DEB)/usr/lib/freshet $(DEB)/usr/games $(DEB)/usr/share/doc/freshet \
		$(DEB)/usr/share/bash-completion/completions
	install -m 755 dist/linux-x86-64/freshet dist/linux-x86-64/freshet-x86-64-* $(DEB)/usr/lib/freshet/
	ln -s ../lib/freshet/freshet $(DEB)/usr/games/freshet
	install -m 644 debian/copyright docs/options.md $(DEB)/usr/share/doc/freshet/
	dist/linux-x86-64/freshet-x86-64-v1 completions bash > $(DEB)/usr/share/bash-completion/completions/freshet
	sed "s/@VERSION@/$(VERSION)/" debian/control > $(DEB)/DEBIAN/control
	dpkg-deb --root-owner-group --build $(DEB) dist/freshet_$(VERSION)_amd64.deb

check-release:
	.ci/check-release

clean:
	cargo clean --target-dir target
	rm -rf dist
