//! The kernel depends on nothing around it.

use std::path::Path;

/// What the kernel may use: the standard library, the types of a system, and itself.
const ALLOWED: [&str; 4] = ["std::", "system::", "super::", "crate::kernel"];

#[test]
fn the_kernel_uses_neither_the_format_nor_reports() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kernel");
    let modules: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| {
            entry.expect("it is read").path().file_stem().expect("it has a name").to_string_lossy().into_owned()
        })
        .collect();
    assert!(modules.len() > 10, "{modules:?}");
    for module in &modules {
        let text = std::fs::read_to_string(folder.join(module).with_extension("rs")).expect("it is read");
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            let used = line.strip_prefix("use ").or_else(|| line.strip_prefix("pub use "));
            let own = |used: &str| modules.iter().any(|module| used.starts_with(&format!("{module}::")));
            let is_allowed = |used: &str| ALLOWED.iter().any(|allowed| used.starts_with(allowed)) || own(used);
            assert!(used.is_none_or(is_allowed), "{module}: {line}");
            let paths = line.split("crate::").skip(1);
            assert!(paths.into_iter().all(|path| path.starts_with("kernel")), "{module}: {line}");
            for foreign in ["serde", "rayon", "thiserror", "println!", "super::super"] {
                assert!(!line.contains(foreign), "{module}: {line}");
            }
        }
    }
}
