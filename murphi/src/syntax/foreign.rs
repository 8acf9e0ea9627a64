//! What other languages write where Murphi has other signs.
//!
//! Each such token is reported, and read as what it means, so that no other error follows from it. This module must not accept
//! anything silently.

use std::collections::BTreeSet;

use super::fault::SyntaxFault;
use super::token::{Token, describe};
use crate::program::Span;

/// Replaces the tokens by those that they mean, and returns what is wrong with them.
pub(super) fn replace(tokens: &mut Vec<(Token, Span)>, procedures: &BTreeSet<String>) -> Vec<(SyntaxFault, Span)> {
    let mut faults = Vec::new();
    let mut guard = Guard(None);
    for position in 0..tokens.len() {
        guard.pass(&tokens[position..]);
        let (token, span) = &tokens[position];
        let (meant, written) = match token {
            Token::ForeignComment => (None, "a comment is written `--`"),
            Token::ForeignUnequal => (Some(Token::Unequal), "inequality is written `!=`"),
            Token::ForeignArrow if guard.ends_here() => {
                (Some(Token::Arrow), "the arrow behind a guard is written `==>`")
            }
            Token::ForeignArrow => (Some(Token::Implies), "implication is written `->`"),
            Token::Word(word) if is_else_if(word, procedures) && begins_a_condition(&tokens[position + 1].0) => {
                (Some(Token::Keyword("elsif")), "a further condition is written `elsif`")
            }
            _ => continue,
        };
        let fault = SyntaxFault::Foreign { found: describe(token), written };
        // A comment is as long as its line.
        let end = if meant.is_none() { span.start + 2 } else { span.end };
        faults.push((fault, Span { start: span.start, end }));
        if let Some(meant) = meant {
            tokens[position].0 = meant;
        }
    }
    tokens.retain(|(token, _)| *token != Token::ForeignComment);
    faults
}

fn is_else_if(word: &str, procedures: &BTreeSet<String>) -> bool {
    ["elif", "elseif"].iter().any(|own| word.eq_ignore_ascii_case(own)) && !procedures.contains(word)
}

fn begins_a_condition(token: &Token) -> bool {
    match token {
        Token::Word(_) | Token::Integer(_) | Token::Not | Token::Open => true,
        Token::Keyword(word) => ["forall", "exists", "isundefined", "ismember"].contains(word),
        _ => false,
    }
}

/// A guard that has no arrow of its own: how many parts with an end are open in it.
struct Guard(Option<u32>);

impl Guard {
    /// Goes on to the first of these tokens.
    fn pass(&mut self, tokens: &[(Token, Span)]) {
        let token = &tokens[0].0;
        if *token == Token::Keyword("rule") {
            let ends = |token: &Token| {
                matches!(token, Token::Arrow | Token::Assign | Token::End | Token::Keyword("begin" | "rule"))
            };
            let end = tokens[1..].iter().map(|(token, _)| token).find(|token| ends(token));
            self.0 = (end != Some(&Token::Arrow)).then_some(0);
            return;
        }
        let Some(open) = self.0 else { return };
        self.0 = match token {
            Token::Open | Token::OpenBracket | Token::Keyword("forall" | "exists") => Some(open + 1),
            Token::Close | Token::CloseBracket => Some(open.saturating_sub(1)),
            Token::Keyword(word) if word.starts_with("end") => open.checked_sub(1),
            Token::Assign | Token::Keyword("begin") => None,
            _ => Some(open),
        };
    }

    /// Whether an arrow would be that behind the guard, of which there is one.
    fn ends_here(&mut self) -> bool {
        let ends = self.0 == Some(0);
        if ends {
            self.0 = None;
        }
        ends
    }
}
