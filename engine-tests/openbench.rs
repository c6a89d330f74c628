//! The configuration for OpenBench has everything its server and pages require.

use serde_json::Value;

/// The keys that the server accepts in the presets of each kind (`OpenBench/config.py`).
const COMMON: &str = "both_branch both_bench both_network both_options both_time_control dev_branch \
     dev_bench dev_network dev_options dev_time_control book_name upload_pgns priority throughput \
     syzygy_wdl syzygy_adj win_adj draw_adj";
const BASE: &str =
    "base_branch base_bench base_network base_options base_time_control workload_size";
const TEST: &str = "test_bounds test_confidence test_max_games";
const TUNE: &str = "spsa_reporting_type spsa_distribution_type spsa_alpha spsa_gamma spsa_A_ratio \
     spsa_iterations spsa_pairs_per";
const DATAGEN: &str = "datagen_custom_genfens datagen_play_reverses datagen_max_games";

/// A preset, made from the default values and its own as the page does: keys and values, with those
/// for both sides written out for each.
fn preset<'a>(presets: &'a Value, name: &str) -> Vec<(String, &'a Value)> {
    let own = |name: &str| presets[name].as_object().expect("an object").iter();
    own("default")
        .chain(own(name))
        .flat_map(|(key, value)| match key.strip_prefix("both_") {
            None => vec![(key.clone(), value)],
            Some(rest) => vec![(format!("dev_{rest}"), value), (format!("base_{rest}"), value)],
        })
        .collect()
}

#[test]
fn presets_fill_the_forms_of_openbench() {
    let text = include_str!("../openbench/Freshet.json");
    let config: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(
        config["build"]["compilers"][0],
        concat!("cargo>=", env!("CARGO_PKG_RUST_VERSION"), ".0")
    );
    for (kind, sides, own) in [
        ("test_presets", &["dev", "base"][..], [BASE, TEST].join(" ")),
        ("tune_presets", &["dev"], TUNE.to_owned()),
        ("datagen_presets", &["dev", "base"], [BASE, DATAGEN].join(" ")),
    ] {
        let presets = &config[kind];
        let known: Vec<&str> =
            COMMON.split(' ').chain(own.split(' ')).filter(|key| !key.is_empty()).collect();
        for (name, fields) in presets.as_object().expect("an object") {
            for key in fields.as_object().expect("an object").keys() {
                assert!(known.contains(&key.as_str()), "{kind} {name}: {key}");
            }
            if name == "default" {
                continue;
            }
            let filled = preset(presets, name);
            for side in sides {
                for field in ["options", "time_control"] {
                    let key = format!("{side}_{field}");
                    let value = filled.iter().rfind(|(filled, _)| *filled == key);
                    let value = value.and_then(|(_, value)| value.as_str()).unwrap_or_default();
                    assert!(!value.is_empty(), "{kind} {name}: {key} stays empty");
                    if field == "options" {
                        assert!(value.contains("Threads=") && value.contains("Hash="), "{value}");
                    }
                }
            }
        }
    }
}
