//! Every link in the project's pages leads somewhere.
//!
//! Only links within the project are followed, because a test that depends on the network would fail for unrelated
//! reasons.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut page = Self { links: Vec::new(), anchors: BTreeSet::new() };
        let mut uses: BTreeMap<String, u32> = BTreeMap::new();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let slug = slug(&heading.take().unwrap_or_default());
                    let count = uses.entry(slug.clone()).or_default();
                    page.anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
                    *count += 1;
                }
                _ => {}
            }
        }
        page
    }
}

/// Returns the anchor of a heading, as generated where such pages are usually shown.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn pages(root: &Path) -> Vec<PathBuf> {
    let skipped = |name: &str| name == "target" || name == "out" || (name.starts_with('.') && name.len() > 1);
    let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter();
    entries
        .filter_entry(|entry| entry.depth() == 0 || !skipped(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn links_within_the_project_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages: BTreeMap<PathBuf, Page> =
        pages(root).into_iter().map(|path| (path.clone(), Page::read(&path))).collect();
    assert!(pages.contains_key(&root.join("README.md")), "the README is missing");
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for link in &page.links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let there = match (target.canonicalize(), anchor) {
                (Err(_), _) => false,
                (Ok(_), "") => true,
                (Ok(target), anchor) => pages.get(&target).is_some_and(|page| page.anchors.contains(anchor)),
            };
            if !there {
                broken.push(format!("{}: {link}", path.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
