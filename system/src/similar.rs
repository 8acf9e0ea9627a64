//! The name that was meant where one is unknown.

/// Returns help that names what was probably meant.
#[must_use]
pub fn did_you_mean(known: &str) -> String {
    format!("did you mean `{known}`?")
}

/// Returns the most similar of the names by their Damerau-Levenshtein distance, without regard to case, if one is similar
/// enough: with one slip in a name of up to three letters, or two in a longer one.
pub fn closest_name<'n>(name: &str, among: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = if name.len() < 4 { 1 } else { 2 };
    among
        .map(|known| (strsim::damerau_levenshtein(&known.to_lowercase(), &name.to_lowercase()), known))
        .filter(|(distance, known)| *distance <= allowed && *known != name)
        .min()
        .map(|(_, known)| known)
}
