//! The layout of a model: indentation, spaces and empty lines. Line breaks and comments stay as the author wrote them.
//!
//! The result differs from the text in white space only. This is checked: words and comments are compared and, for Murphi, the
//! syntax trees as well.

mod layout;
mod pieces;

use crate::Language;
use pieces::{Line, lines};

/// Why a text cannot be laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Its blocks are not known.
    #[error("the model has syntax errors; without them, it can be formatted")]
    Syntax,
    /// The result would be another model. This is a mistake in this program.
    #[error("formatting would change the model, so it stays as it is; this is a bug")]
    Changed,
}

/// Lays out a model.
///
/// # Errors
/// Returns an error for a text with syntax errors.
pub fn format(language: Language, text: &str) -> Result<String, FormatError> {
    let found = match language {
        Language::Murphi if !murphi::parse(text).1.is_empty() => return Err(FormatError::Syntax),
        Language::Murphi | Language::Cubicle => lines(language, text).ok_or(FormatError::Syntax)?,
    };
    let formatted = match language {
        Language::Murphi => layout::laid_out(&found),
        Language::Cubicle => cubicle(&found),
    };
    if is_same(language, text, &formatted) { Ok(formatted) } else { Err(FormatError::Changed) }
}

/// Whether two texts differ in white space alone.
fn is_same(language: Language, before: &str, after: &str) -> bool {
    let words = |text| lines(language, text).map(|lines| lines.iter().flat_map(Line::words).collect::<Vec<String>>());
    let tree = |text| (language == Language::Murphi).then(|| murphi::print(&murphi::parse(text).0));
    words(before) == words(after) && tree(before) == tree(after)
}

/// Of Cubicle's language, only the ends of lines and empty lines are changed.
fn cubicle(lines: &[Line<'_>]) -> String {
    let mut text = String::new();
    for line in visible(lines) {
        text.push_str(&" ".repeat(line.indent));
        for piece in &line.pieces {
            text.push_str(&" ".repeat(piece.gap));
            text.push_str(piece.text);
        }
        text.push('\n');
    }
    text
}

/// The lines without empty ones at the start and the end, and with at most one between two others.
fn visible<'l, 't>(lines: &'l [Line<'t>]) -> impl Iterator<Item = &'l Line<'t>> {
    let last = lines.iter().rposition(|line| !line.pieces.is_empty()).map_or(0, |last| last + 1);
    let is_empty = |at: usize| lines[at].pieces.is_empty();
    (0..last).filter(move |at| !is_empty(*at) || (*at > 0 && !is_empty(*at - 1))).map(|at| &lines[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        let once = format(Language::Murphi, text).unwrap();
        assert_eq!(format(Language::Murphi, &once).unwrap(), once, "a second time changes something");
        once
    }

    #[test]
    fn blocks_are_indented_and_operators_have_spaces() {
        let text = "\n\n-- a lock\ntype NODE:scalarset(3);\nCELL : record\n used:boolean; -- by whom?\n  end;\nvar a:array[NODE] of CELL;   \n\n\n\n\
            ruleset i:NODE do\nrule \"go\"\n!a[i].used&\n   true\n==>\nvar t:boolean;\nbegin\n-- first\na[i].used:=true;\n\
            if a[i].used then t:=false;\nelsif -1<1 then\nt:=true;\nelse\nclear t;\n-- last\nend;\n\
            switch t case true: t:=false;\ncase false:\nt:=true;\nelse\nt:=false;\nend;\nend;\nend;\n\
            invariant \"x\"\nforall i:NODE do\n  a[i].used ->\n    true\nend;\n/* the\n end */";
        let expected = "\
-- a lock
type NODE : scalarset(3);
  CELL : record
    used : boolean; -- by whom?
  end;
var a : array[NODE] of CELL;

ruleset i : NODE do
  rule \"go\"
    !a[i].used &
       true
  ==>
  var t : boolean;
  begin
    -- first
    a[i].used := true;
    if a[i].used then t := false;
    elsif -1 < 1 then
      t := true;
    else
      clear t;
      -- last
    end;
    switch t case true: t := false;
      case false:
        t := true;
      else
        t := false;
    end;
  end;
end;
invariant \"x\"
  forall i : NODE do
    a[i].used ->
      true
  end;
/* the
 end */
";
        assert_eq!(formatted(text), expected);
    }

    #[test]
    fn what_goes_on_keeps_its_place() {
        let text = "var a : boolean;   -- one\n                   -- more\n    bc : boolean;\nrule  a\n    & bc ==>\n\
            a :=  bc\n        & a;\nend;\nstartstate a := true; bc := (a &\n  a); end;\n";
        let expected = "var a : boolean;   -- one\n                   -- more\n  bc : boolean;\nrule  a\n    & bc ==>\n  \
            a :=  bc\n          & a;\nend;\nstartstate a := true; bc := (a &\n  a); end;\n";
        assert_eq!(formatted(text), expected);
    }

    #[test]
    fn a_text_with_errors_stays() {
        assert_eq!(format(Language::Murphi, "var x boolean;"), Err(FormatError::Syntax));
        assert_eq!(format(Language::Cubicle, "(* open"), Err(FormatError::Syntax));
    }

    #[test]
    fn ends_of_lines_of_cubicle_are_cleaned() {
        let text = "\n(* a  \n\n b *)  \nvar\tX : bool \n\n\n  init () { X = True }";
        let expected = "(* a  \n\n b *)\nvar     X : bool\n\n  init () { X = True }\n";
        assert_eq!(format(Language::Cubicle, text).as_deref(), Ok(expected));
        assert_eq!(format(Language::Cubicle, expected).as_deref(), Ok(expected));
    }
}
