//! The codes of diagnostics, as `docs/diagnostics.md` documents them.
//!
//! The page is compiled into the program and split into its sections. This module must not say anything that the page does not.

/// The page. A test of the front-ends holds it against their codes.
const PAGE: &str = include_str!("../docs/diagnostics.md");

/// A code and its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) code: &'static str,
    pub(crate) title: &'static str,
    /// What is below the heading.
    pub(crate) text: &'static str,
}

/// All codes in the order of the page.
pub(crate) fn all() -> impl Iterator<Item = Section> {
    PAGE.split("\n## ").skip(1).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        Some(Section { code, title: title.trim(), text: text.trim() })
    })
}

/// The section of a code, regardless of case.
pub(crate) fn section(code: &str) -> Option<Section> {
    all().find(|section| section.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_of_the_page_is_a_code() {
        let headings = PAGE.lines().filter(|line| line.starts_with("## ")).count();
        assert!(headings > 100);
        assert_eq!(all().count(), headings);
        assert!(all().all(|section| !section.title.is_empty() && !section.text.is_empty()));
    }

    #[test]
    fn a_section_ends_before_the_next_one() {
        let found = section("p007").unwrap();
        assert_eq!((found.code, found.title), ("P007", "an unclosed string"));
        assert!(found.text.starts_with("A string ends") && found.text.ends_with("not closed on its line"));
        assert_eq!(section("P999"), None);
    }
}
